// What happens in the fixture's session: an agent opens Notes, edits a shopping list and pins it. Invented.

export interface FrameScript {
  cursor: string;
  title: string;
  summary: string;
  crumbs: string[];
  visible: string[];
  actions: string[];
  handles: string[];
  notices: string[];
}

export interface StepScript {
  say: string;
  tool: string;
  args: string;
  outcome: string;
  result?: string;
  frame: number;
  summary: string;
}

export interface TurnScript {
  prompt: string;
  steps: StepScript[];
  answer: string;
}

const NOTES = [
  '[n-204] note: Sunday shopping — Oat milk, lemons, 9 more lines', '[n-201] note: Groceries — Bread, eggs, rice',
  '[n-198] note: Bike service — Friday 16:00, bring the old chain', '[n-190] note: Reading list — 6 titles, 2 marked as read',
  '[n-187] note: Flat — Call about the heating', '[n-180] note: Recipes — Lentil soup, lemon cake', '[n-177] note: Gifts — Mira: headphones',
  '[n-171] note: Garden — Tomatoes in the second bed', '[n-166] note: Books to return — 2 at the library', '[n-160] note: Train times — 7:42, 8:12, 8:42',
  '[n-155] note: Ideas — A lamp that follows the sun', '[n-150] note: Passwords — Moved to the keyring',
];

const LIST = ['Milk', 'Bread', 'Apples', 'Coffee', 'Washing powder', 'Rice', 'Tomatoes', 'Butter', 'Tea', 'Oat milk', 'Lemons'].map((s, i) => `[l-${i + 1}] line: ${s} — Line ${i + 1}`);

const ON_LIST = ['append note:n-204 TEXT — Add a line at the end', 'rename note:n-204 TEXT — Rename the note', 'pin note:n-204 — Keep it at the top', 'delete note:n-204 — Delete the note [risk high] [asks for confirmation]', 'back — Back to the list', 'home — To the desktop', 'share note:n-204 — Send it to somebody'];
const ON_NOTES = ['open note:n-204 — Open the note', 'unpin note:n-204 — Take it from the top', 'new note — Create an empty note', 'search notes TEXT — Find in all notes', 'sort by date — Newest first', 'sort by name — A to Z', 'home — To the desktop', 'close app:notes — Close Notes'];

const notes = (cursor: string, summary: string): FrameScript => ({
  cursor, title: 'Notes', summary, crumbs: ['Desktop', 'Notes'], visible: NOTES, actions: ON_NOTES,
  handles: ['h1 — The pinned note in full (about 120 tokens)', 'h2 — All titles (about 80 tokens)', 'h3 — Notes changed today (about 60 tokens)'],
  notices: ['calendar — The market closes at 13:00 on Sunday. — new'],
});

const list = (cursor: string, lines: number, title: string): FrameScript => ({
  cursor, title, summary: `A note with ${lines} lines, changed today.`, crumbs: ['Desktop', 'Notes', title], visible: LIST.slice(0, lines), actions: ON_LIST,
  handles: ['h1 — The note in full (about 90 tokens)', 'h2 — Its history (about 40 tokens)'], notices: [],
});

export const FRAMES: FrameScript[] = [
  { cursor: 'c1', title: 'Desktop', summary: 'Nine apps. Nothing is open.', crumbs: ['Desktop'], visible: ['[a-1] app: Files', '[a-2] app: Mail — 3 unread', '[a-3] app: Notes', '[a-4] app: Calendar', '[a-5] app: Settings', '[a-6] app: Clock', '[a-7] app: Music', '[a-8] app: Photos', '[a-9] app: Terminal'], actions: ['open app:notes — Open Notes', 'open app:mail — Open Mail', 'open app:files — Open Files'], handles: [], notices: [] },
  notes('c2', 'Twelve notes, newest "Groceries".'),
  { cursor: 'c3', title: 'Search', summary: 'Two notes for "shopping".', crumbs: ['Desktop', 'Notes', 'Search'], visible: ['[n-204] note: Shopping list — Milk, bread, 7 more lines', '[n-120] note: Old shopping — Empty'], actions: ['open note:n-204 — Open the note', 'back — Back to the list'], handles: [], notices: [] },
  list('c4', 9, 'Shopping list'), list('c5', 10, 'Shopping list'), list('c6', 11, 'Shopping list'), list('c7', 11, 'Sunday shopping'),
  list('c8', 11, 'Sunday shopping'), list('c9', 11, 'Sunday shopping'), notes('c10', 'Twelve notes, one pinned. Changed at 14:03.'),
];

export const TURNS: TurnScript[] = [
  {
    prompt: 'Open Notes, find the shopping list and add oat milk and lemons to it.',
    steps: [
      { say: "I'll look at the desktop first.", tool: 'zimoos.current', args: '{}', outcome: 'ok', frame: 0, summary: 'Nine apps are on the desktop; Notes is the third.' },
      { say: 'Nine apps are on the desktop; Notes is the third. Opening it.', tool: 'zimoos.act', args: '{"frameCursor":"c1","cmd":"open app:notes"}', outcome: 'ok', frame: 1, summary: 'Opened Notes; it lists 12 notes, newest "Groceries".' },
      { say: 'Opened Notes; it lists 12 notes, newest "Groceries". Searching for the list.', tool: 'zimoos.search', args: '{"query":"shopping"}', outcome: 'ok', result: '2 hits', frame: 2, summary: 'The search found two notes; "Shopping list" is the first.' },
      { say: '', tool: 'zimoos.act', args: '{"frameCursor":"c3","cmd":"open note:n-204"}', outcome: 'ok', frame: 3, summary: '"Shopping list" is open; it has nine lines.' },
      { say: '"Shopping list" is open; it has nine lines. Adding oat milk.', tool: 'zimoos.act', args: '{"frameCursor":"c4","cmd":"append note:n-204 Oat milk"}', outcome: 'ok', frame: 4, summary: 'Oat milk stands on line 10.' },
      { say: 'Oat milk stands on line 10. Adding lemons.', tool: 'zimoos.act', args: '{"frameCursor":"c5","cmd":"append note:n-204 Lemons"}', outcome: 'ok', frame: 5, summary: 'Both are on the list: oat milk on line 10, lemons on line 11.' },
    ],
    answer: 'Both are on the list: oat milk on line 10, lemons on line 11.',
  },
  {
    prompt: 'Now rename it to Sunday shopping and pin it to the top.',
    steps: [
      { say: 'Renaming the note.', tool: 'zimoos.act', args: '{"frameCursor":"c6","cmd":"rename note:n-204 Sunday shopping"}', outcome: 'ok', frame: 6, summary: 'The note is now "Sunday shopping".' },
      { say: 'The note is now "Sunday shopping". Pinning it.', tool: 'zimoos.act', args: '{"frameCursor":"c6","cmd":"pin note:n-204"}', outcome: 'error: stale cursor', frame: 6, summary: 'The pin was refused because cursor c6 is stale.' },
      { say: 'The pin was refused because cursor c6 is stale. Reading the frame again.', tool: 'zimoos.current', args: '{}', outcome: 'ok', frame: 7, summary: 'The frame is at c8 and shows the note.' },
      { say: 'The frame is at c8 and shows the note. Pinning it now.', tool: 'zimoos.act', args: '{"frameCursor":"c8","cmd":"pin note:n-204"}', outcome: 'ok', frame: 8, summary: '"Sunday shopping" is pinned.' },
      { say: '"Sunday shopping" is pinned. Going back to the list to check.', tool: 'zimoos.act', args: '{"frameCursor":"c9","cmd":"back"}', outcome: 'ok', frame: 9, summary: 'It leads the list.' },
    ],
    answer: 'Done: "Sunday shopping" is pinned and leads the list.',
  },
];

export const SYSTEM = 'You work inside ZimoOS, a small operating system that you see as frames and drive with three tools.\n\nRead the frame before you act. A command is copied exactly as the frame shows it. After each operation say in one sentence what it did: that line is kept as its Summary, and nothing else of the frame is.\n\n'.repeat(6).trim();

export const TOOLS: [string, string, string][] = [
  ['zimoos', 'zimoos.current', '{"type":"object","properties":{}}'],
  ['zimoos', 'zimoos.act', '{"type":"object","properties":{"frameCursor":{"type":"string","description":"The cursor of the frame that the command comes from."},"cmd":{"type":"string","description":"A command exactly as the frame shows it."}},"required":["frameCursor","cmd"]}'],
  ['zimoos', 'zimoos.search', '{"type":"object","properties":{"query":{"type":"string","description":"Words to look for."},"limit":{"type":"integer","description":"At most so many hits."}},"required":["query"]}'],
  ...['files.list', 'files.read', 'files.write', 'files.find'].map((n): [string, string, string] => ['files', n, '{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}']),
  ...['tasks.add', 'tasks.list', 'tasks.done', 'tasks.note'].map((n): [string, string, string] => ['tasks', n, '{"type":"object","properties":{"text":{"type":"string"}}}']),
];
