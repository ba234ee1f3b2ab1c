// A server on the SDK of the protocol of 2026-07-28. Its argument says what becomes of an older handshake: serve or reject.
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

function make() {
  const server = new McpServer({ name: "plain-v2", version: "0.1.0" });
  const inputSchema = z.object({ zebra: z.number(), alpha: z.number() });
  server.registerTool("order", { description: "Keys out of order, numbers of all kinds", inputSchema }, async (given) => ({
    content: [{ type: "text", text: JSON.stringify(given) }],
    structuredContent: { zebra: given.zebra, alpha: given.alpha, "10": 1, "9": 1e21, tiny: 1e-7, text: "é\u2028" },
  }));
  return server;
}

serveStdio(make, { legacy: process.argv[2] });
