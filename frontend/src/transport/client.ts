// A Service over any way to call a method by name with JSON arguments.
import type { Service } from '../api/service';
import type { SessionInfo, ToolInfo, TrafficRow } from '../api/types.gen';
import { normalise } from './normalise';

/** Calls one method of api.Service. Rejects with an Error whose message is a sentence for a person. */
export type Call = (method: string, args: unknown[]) => Promise<unknown>;

export function service(call: Call): Service {
  const ask = async <T>(method: string, ...args: unknown[]): Promise<T> => normalise((await call(method, args)) as T);
  const list = async <T>(method: string, ...args: unknown[]): Promise<T[]> => (await ask<T[] | null>(method, ...args)) ?? [];
  const tell = async (method: string, ...args: unknown[]): Promise<void> => {
    await call(method, args);
  };
  return {
    snapshot: () => ask('Snapshot'),
    timeline: (s) => ask('Timeline', s),
    request: (ref) => ask('Request', ref),
    part: (ref, kind, index, offset) => ask('Part', ref, kind, index, offset),
    body: (ref, offset) => ask('Body', ref, offset),
    response: (ref, offset) => ask('Response', ref, offset),
    curl: (ref) => ask('Curl', ref),
    diff: (base, next) => ask('Diff', base, next),
    live: (s) => ask('Live', s),
    traffic: (after) => list<TrafficRow>('Traffic', after),
    trafficText: (seq) => ask('TrafficText', seq),
    tools: () => list<ToolInfo>('Tools'),
    create: (n) => ask<SessionInfo>('Create', n),
    open: (s) => ask<SessionInfo>('Open', s),
    rename: (s, name) => tell('Rename', s, name),
    remove: (s) => tell('Delete', s),
    prompt: (text) => tell('Prompt', text),
    retry: () => tell('Retry'),
    pause: () => tell('Pause'),
    continue: () => tell('Continue'),
    step: () => tell('Step'),
    stepTool: () => tell('StepTool'),
    abandon: () => tell('Abandon'),
    stop: () => tell('Stop'),
    setBreakpoints: (b) => tell('SetBreakpoints', b),
    callTool: (server, tool, args) => ask('CallTool', server, tool, args),
  };
}
