// A server on the SDK of the protocol up to 2025-11-25.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

function make() {
  const server = new McpServer({ name: "plain-v1", version: "0.1.0" });
  const inputSchema = z.object({ zebra: z.number(), alpha: z.number() });
  server.registerTool("order", { description: "Keys out of order, numbers of all kinds", inputSchema }, async (given) => ({
    content: [{ type: "text", text: JSON.stringify(given) }],
    structuredContent: { zebra: given.zebra, alpha: given.alpha, "10": 1, "9": 1e21, tiny: 1e-7, text: "é\u2028" },
  }));
  return server;
}

await make().connect(new StdioServerTransport());
