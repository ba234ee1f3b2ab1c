// Asks in all three shapes, streamed and not, and prints what the SDKs make of the answers.
import OpenAI from "openai";
import Anthropic from "@anthropic-ai/sdk";

const base = process.env.BASE;
const openai = new OpenAI({ baseURL: base + "/v1", apiKey: "sk-client-key-12345", maxRetries: 0 });
const anthropic = new Anthropic({ baseURL: base, apiKey: "sk-client-key-12345", maxRetries: 0 });
const messages = [{ role: "user", content: "Grüße 你好 \u0007" }];
const say = (name, value) => console.log(name, JSON.stringify(value));

const chat = await openai.chat.completions.create({ model: "puppet", messages });
say("chat", chat.choices[0].message);
let text = "";
for await (const chunk of await openai.chat.completions.create({ model: "puppet", messages, stream: true })) {
  text += chunk.choices[0]?.delta?.content ?? "";
}
say("chat stream", text);

say("responses", (await openai.responses.create({ model: "puppet", input: "hi" })).output_text);
const types = [];
for await (const event of await openai.responses.create({ model: "puppet", input: "hi", stream: true })) types.push(event.type);
say("responses stream", types);

say("messages", (await anthropic.messages.create({ model: "puppet", max_tokens: 9, messages })).content);
say("messages stream", (await anthropic.messages.stream({ model: "puppet", max_tokens: 9, messages }).finalMessage()).content);
