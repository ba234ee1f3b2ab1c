// The parts of a request in chain order, for the proof.
import type { PartView, RequestView } from '../api/types.gen';

/** Model, tools, system, then the history; the parameters stand beside the chain and are not among them. */
export function chain(view: RequestView): PartView[] {
  const out = [view.model, ...view.tools];
  if (view.system.bytes > 0 && view.system.leaf !== '') out.push(view.system);
  out.push(...view.messages);
  return out;
}

/** How one can check the chain without this program; shell and Python, nothing else. */
export const BY_HAND = `import hashlib, json, sys
raw = open(sys.argv[1], "rb").read()
def leaf(kind, b): return hashlib.sha256(kind.encode() + b"\\0" + b).digest()
def value(i):                      # end of the JSON value that starts at i
    text = raw[i:].decode("utf-8", "surrogateescape")
    _, n = json.JSONDecoder().raw_decode(text)
    return i + len(text[:n].encode("utf-8", "surrogateescape"))
def skip(i):
    while raw[i] in b" \\t\\r\\n,:": i += 1
    return i
def items(i):                      # raw elements of the array at i
    out, i = [], skip(i + 1)
    while raw[i:i+1] != b"]":
        e = value(i); out.append(raw[i:e]); i = skip(e)
    return out
parts = {"model": b"null", "tools": [], "messages": []}
i = skip(raw.index(b"{") + 1)
while raw[i:i+1] != b"}":
    e = value(i); name = json.loads(raw[i:e]); i = skip(e); e = value(i)
    if name == "model": parts[name] = raw[i:e]
    elif name in parts and raw[i:i+1] == b"[": parts[name] = items(i)
    i = skip(e)
link = hashlib.sha256(b"zimoscope-chain/1\\0" + leaf("model", parts["model"])).digest()
print("model", link.hex())
for kind, name in (("tool", "tools"), ("message", "messages")):
    for n, b in enumerate(parts[name]):
        link = hashlib.sha256(link + leaf(kind, b)).digest()
        print(f"{name}[{n}]", link.hex())`;
