// The fixture's answers about the store: search, trash, settings, keys.
import type { Service } from '../api/service';
import type { SearchHit, SessionSettings } from '../api/types.gen';

type Care = Pick<Service, 'pin' | 'remove' | 'trash' | 'restore' | 'purge' | 'compact' | 'search' | 'settings' | 'draft' | 'configure' | 'keyState' | 'saveKey' | 'deleteKey'>;

const SETTINGS: SessionSettings = {
  session: 's1', config: '/home/me/.config/zimoscope/config.json', editable: true, why: '', pending: false, missing: ['mcpServers.notes.env.TOKEN'], builtIn: 'You work inside ZimoOS, a live virtual interface.',
  profiles: ['generic', 'openai', 'llamacpp'], baseURL: 'https://api.openai.com/v1', model: 'gpt-4.1', profile: 'openai', apiKeyEnv: 'OPENAI_API_KEY', apiKeyKeyring: '', system: '', temperature: '0.2',
  maxTokens: '4096', contextWindow: 128000, maxSteps: 0, params: '{\n  "top_p": 0.9\n}', servers: '{\n  "zimoos": {\n    "command": "bun",\n    "args": ["run", "primary.ts"]\n  }\n}',
};

const SNIPPET = 'Pin the list "Sunday shopping" and tell me what is on it.';

function hits(text: string): SearchHit[] {
  const from = SNIPPET.toLowerCase().indexOf(text.toLowerCase());
  if (from < 0) return [];
  return [3, 7].map((request) => ({ session: request === 3 ? 's1' : 's2', name: request === 3 ? 'Sunday shopping list' : 'Tag my notes', request, verdict: 'sealed', planned: true, tools: ['zimoos.act'], where: 'user', snippet: SNIPPET, match: { from, to: from + text.length } }));
}

export function care(emit: (topic: string) => void): Care {
  let deleted = false;
  let settings = SETTINGS;
  const tell = async () => emit('sessions');
  return {
    pin: tell, purge: tell, restore: async () => { deleted = false; emit('sessions'); }, remove: async () => { deleted = true; emit('sessions'); },
    trash: async () => (deleted ? [{ id: 's2', name: 'Tag my notes', requests: 41, bytes: 820_000, deletedAt: Date.UTC(2026, 10, 30), goneAt: Date.UTC(2026, 11, 7) }] : []),
    compact: async () => ({ before: 1_240_000, after: 760_000 }),
    search: async (q) => ({ hits: hits(q.text), next: q.from, done: true, searched: 2, sessions: 2, skipped: [] }),
    settings: async (session) => ({ ...settings, session }),
    draft: async () => ({ ...SETTINGS, session: '' }),
    configure: async (_s, change) => {
      settings = { ...settings, ...change, pending: true };
      emit('state');
    },
    keyState: async () => ({ available: false, saved: false, why: 'no keyring service answers on this machine' }),
    saveKey: async () => undefined,
    deleteKey: async () => undefined,
  };
}
