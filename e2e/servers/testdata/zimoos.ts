// A small ZimoOS on the official SDK: two screens, results as pretty-printed JSON in one text part, as the real one gives.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

if (!process.env.ROLE_INSTANCE_ID || !process.env.V2_SERVER_URL) process.exit(9);

let moves = 0;
let title = "Desktop";

function frame() {
  return {
    protocol: "zimoos/os-frame", version: "1", frameCursor: `cursor-${moves}`, title, status: "idle", updatedAt: "2026-11-30T00:00:00Z",
    visibleContent: [{ itemId: "b", kind: "note", title: "Zebra", content: "买菜 <zimoos>", priority: 1.5 }, { itemId: "a", kind: "note", title: "Alpha" }],
    shortcuts: [{ id: "open", cmd: "open app:notes", label: "Open notes", riskLevel: "safe", requiresConfirmation: false }],
    handles: [], unknown: { z: 9007199254740991, a: 0.1 },
  };
}

function result(value: object) {
  return { content: [{ type: "text" as const, text: JSON.stringify(value, null, 2) }], isError: "error" in value };
}

const server = new McpServer({ name: "bun-zimoos", version: "0.1.0" });
server.registerTool("zimoos.current", { description: "The current screen" }, async () => result(frame()));
server.registerTool("zimoos.act", { description: "Carry out a command", inputSchema: { frameCursor: z.string(), cmd: z.string() } }, async ({ frameCursor, cmd }) => {
  if (frameCursor !== `cursor-${moves}`) return result({ error: "stale frameCursor", current: frame() });
  moves++;
  title = cmd === "open app:notes" ? "Notes" : cmd;
  return result(frame());
});
server.registerTool("zimoos.search", { description: "Find things", inputSchema: { query: z.string() } }, async ({ query }) => {
  moves++;
  title = `Search: ${query}`;
  return result(frame());
});
await server.connect(new StdioServerTransport());
