// An exchange as Markdown, for an issue or a letter. Fences are longer than any run of backticks inside them.
import type { RequestView } from '../api/types.gen';

function fence(text: string, lang = ''): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((r) => r.length));
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}${lang}\n${text}\n${ticks}`;
}

/** The request as it reads and the response as received. Shortened parts say their true size. */
export function exchangeMarkdown(view: RequestView, response: string): string {
  const out = [`# Request ${view.row.n}: ${view.row.verdict}`, '', `Model ${view.model.name || view.model.text}, ${view.tools.length} tools, ${view.row.bytes} bytes.`];
  out.push('', '## messages[0] system', '', fence(view.system.text));
  for (const m of view.messages) {
    const calls = m.calls.map((c) => `${c.name} ${c.arguments}`).join('\n');
    const text = [m.text, calls].filter((s) => s !== '').join('\n');
    out.push('', `## messages[${m.index}] ${m.role}`, '', fence(text));
    if (!m.whole) out.push('', `Shortened: ${m.bytes} bytes in all.`);
  }
  if (view.carrier.present) out.push('', `## messages[${view.carrier.index}], request-only`, '', fence(view.carrier.block));
  if (response !== '') out.push('', '## Response', '', fence(response));
  return out.join('\n') + '\n';
}
