// Traffic of invented agents in the three dialects, as files and as requests.
const call = (id, name, args) => ({ id, type: 'function', function: { name, arguments: JSON.stringify(args) } });
const TOOLS = ['read_file', 'write_file', 'list_files'].map((name) => ({ type: 'function', function: { name, description: `The tool ${name}.`, parameters: { type: 'object', properties: { path: { type: 'string' } } } } }));

function chat() {
  const messages = [{ role: 'system', content: 'You are a careful agent. It is 2026-11-30 10:00:00.' }, { role: 'user', content: 'Tidy the notes folder and tell me what you did.' }];
  const list = [];
  const ask = (more = {}) => list.push({ model: 'gpt-5.4', tools: TOOLS, messages: structuredClone(messages), ...more });
  ask();
  for (let i = 1; i <= 4; i++) {
    messages.push({ role: 'assistant', content: i === 1 ? 'I look first.' : null, tool_calls: [call(`k${i}`, i === 1 ? 'list_files' : 'read_file', { path: `notes/${i}.md` })] });
    messages.push({ role: 'tool', tool_call_id: `k${i}`, content: `# Note ${i}\n${'Some text of the note. '.repeat(30)}` });
    if (i === 3) messages[0] = { role: 'system', content: 'You are a careful agent. It is 2026-11-30 10:00:41.' };
    ask();
  }
  messages.push({ role: 'assistant', content: 'All notes are tidy.' }, { role: 'user', content: 'Good. Now count the words.' });
  ask();
  return list;
}

function responses() {
  const input = [{ role: 'user', content: [{ type: 'input_text', text: 'What does the diagram show?' }, { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=' }] }];
  const list = [];
  const ask = () => list.push({ model: 'gpt-5.6-sol', instructions: 'Answer in one sentence.', input: structuredClone(input), tools: [{ type: 'function', name: 'lookup', parameters: {} }] });
  ask();
  input.push({ type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'The diagram needs a look-up.' }], encrypted_content: 'gAAAAAB' }, { type: 'function_call', call_id: 'f1', name: 'lookup', arguments: '{"term":"flow"}' }, { type: 'function_call_output', call_id: 'f1', output: 'A flow of water.' });
  ask();
  input.push({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'It shows a flow of water.' }] }, { role: 'user', content: 'And the colours?' });
  ask();
  return list;
}

function anthropic() {
  const messages = [{ role: 'user', content: 'What is the weather in Rome?' }];
  const list = [];
  const ask = () => list.push({ model: 'claude-opus-5', max_tokens: 1024, system: [{ type: 'text', text: 'You help with the weather.', cache_control: { type: 'ephemeral' } }], messages: structuredClone(messages) });
  ask();
  messages.push({ role: 'assistant', content: [{ type: 'thinking', thinking: 'I need the weather tool.', signature: 'x' }, { type: 'tool_use', id: 't1', name: 'weather', input: { place: 'Rome' } }] }, { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', is_error: true, content: [{ type: 'text', text: 'The service does not answer.' }] }] });
  ask();
  messages.push({ role: 'assistant', content: [{ type: 'text', text: 'The weather service is down.' }] }, { role: 'user', content: '请用中文再说一遍。' });
  ask();
  return list;
}

const usage = (bytes) => ({ prompt_tokens: Math.round(bytes / 4), completion_tokens: 20, prompt_tokens_details: { cached_tokens: Math.round(bytes / 6) } });

/** All three, interleaved as they would be on the wire. */
export function requests() {
  const [a, b, c] = [chat(), responses(), anthropic()];
  const out = [];
  for (let i = 0; i < Math.max(a.length, b.length, c.length); i++) {
    if (a[i]) out.push({ url: 'https://api.openai.com/v1/chat/completions', body: a[i] });
    if (b[i]) out.push({ url: 'https://api.openai.com/v1/responses', body: b[i] });
    if (c[i]) out.push({ url: 'https://api.anthropic.com/v1/messages', body: c[i] });
  }
  return out;
}

export function har() {
  const entries = requests().map(({ url, body }, i) => {
    const text = JSON.stringify(body);
    return {
      startedDateTime: new Date(Date.UTC(2026, 10, 30, 10, 0, i * 7)).toISOString(), time: 900 + i * 30,
      request: { method: 'POST', url, headers: [{ name: 'Authorization', value: 'Bearer sk-not-a-real-key-000' }, { name: 'User-Agent', value: 'agent/1.4' }], postData: { mimeType: 'application/json', text } },
      response: { status: 200, headers: [{ name: 'Content-Type', value: 'application/json' }], content: { mimeType: 'application/json', text: JSON.stringify({ id: `r${i}`, choices: [{ message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }], usage: usage(text.length) }) } },
    };
  });
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'test', version: '1' }, entries } });
}

/** Lines of request bodies; the second run answers otherwise in its third request. One line is broken. */
export function lines(second = false) {
  const list = chat().map((x) => JSON.stringify(x));
  if (second) for (let i = 2; i < list.length; i++) list[i] = list[i].replace('# Note 2', '# Note two');
  list.splice(3, 0, '{"model": "cut');
  return list.join('\n') + '\n';
}
