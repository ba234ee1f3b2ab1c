// Holds an archive against the schema of HAR 1.2.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const validate = createRequire(import.meta.url)("har-validator/lib/promise.js");
await validate.har(JSON.parse(readFileSync(process.env.HAR, "utf8"))).catch((e) => {
  console.error(JSON.stringify(e.errors ?? String(e), null, 1));
  process.exit(1);
});
console.log("valid");
