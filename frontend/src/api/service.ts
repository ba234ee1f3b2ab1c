// The questions a front end can ask: the Go interface api.Service, method for method.
import type {
  Breakpoints,
  Compaction,
  DeletedSession,
  DiffView,
  EndToEnd,
  Event,
  ExportOrder,
  Job,
  KeyState,
  LabOrder,
  LabState,
  Live,
  MessageView,
  NewProxy,
  NewSession,
  Picture,
  RequestRef,
  RequestRow,
  RequestView,
  SearchPage,
  SearchQuery,
  SessionInfo,
  SessionSettings,
  SessionsDiff,
  Settings,
  Snapshot,
  TextPage,
  Timeline,
  TimelineDelta,
  ToolInfo,
  ToolResult,
  TrafficRow,
} from './types.gen';

/** What changed in a timeline, its rows one by one. */
export interface TimelineChange extends Omit<TimelineDelta, 'rows'> {
  rows: RequestRow[];
}

export interface Service {
  snapshot(): Promise<Snapshot>;
  /** Also of a session that is not the open one. */
  timeline(session: string): Promise<Timeline>;
  /** What changed since a revision; all of it for 0. */
  timelineSince(session: string, rev: number): Promise<TimelineChange>;
  request(ref: RequestRef): Promise<RequestView>;
  /** More of its history, by place; at most 1000 at once. */
  messages(ref: RequestRef, from: number, count: number): Promise<MessageView[]>;
  part(ref: RequestRef, kind: string, index: number, offset: number): Promise<TextPage>;
  body(ref: RequestRef, offset: number): Promise<TextPage>;
  response(ref: RequestRef, offset: number): Promise<TextPage>;
  curl(ref: RequestRef): Promise<string>;
  diff(base: RequestRef, next: RequestRef): Promise<DiffView>;
  live(session: string): Promise<Live>;
  traffic(after: number): Promise<TrafficRow[]>;
  trafficText(seq: number): Promise<string>;
  tools(): Promise<ToolInfo[]>;

  create(n: NewSession): Promise<SessionInfo>;
  open(session: string): Promise<SessionInfo>;
  rename(session: string, name: string): Promise<void>;
  pin(session: string, pinned: boolean): Promise<void>;
  /** Into the trash, from which restore brings it back and purge removes it for good. */
  remove(session: string): Promise<void>;
  trash(): Promise<DeletedSession[]>;
  restore(session: string): Promise<void>;
  purge(session: string): Promise<void>;
  compact(session: string): Promise<Compaction>;
  /** One slice; whoever wants more asks on from its place. */
  search(q: SearchQuery): Promise<SearchPage>;
  settings(session: string): Promise<SessionSettings>;
  /** The settings of a configuration file, "" for the default one. */
  draft(config: string): Promise<SessionSettings>;
  configure(session: string, change: Settings): Promise<void>;
  keyState(name: string): Promise<KeyState>;
  saveKey(name: string, key: string): Promise<void>;
  deleteKey(name: string): Promise<void>;

  /** Imports and exports, oldest first. */
  jobs(): Promise<Job[]>;
  cancelJob(id: number): Promise<void>;
  dismissJob(id: number): Promise<void>;
  /** Lets the window ask for files; a job without a number when none were chosen. */
  chooseImport(): Promise<Job>;
  importUpload(upload: string): Promise<Job>;
  dropUpload(upload: string): Promise<void>;
  exportSession(o: ExportOrder): Promise<Job>;
  startProxy(p: NewProxy): Promise<SessionInfo>;
  stopProxy(): Promise<void>;
  compareSessions(base: string, next: string): Promise<SessionsDiff>;
  /** "" makes it an ordinary session again. */
  setBaseline(session: string, name: string): Promise<void>;
  endToEnd(): Promise<EndToEnd>;
  runEndToEnd(): Promise<void>;
  stopEndToEnd(): Promise<void>;
  probeBackend(): Promise<void>;
  lab(): Promise<LabState>;
  startLab(o: LabOrder): Promise<void>;
  stopLab(): Promise<void>;

  prompt(text: string, pictures: Picture[]): Promise<void>;
  retry(): Promise<void>;
  pause(): Promise<void>;
  continue(): Promise<void>;
  step(): Promise<void>;
  stepTool(): Promise<void>;
  abandon(): Promise<void>;
  stop(): Promise<void>;
  setBreakpoints(b: Breakpoints): Promise<void>;
  callTool(server: string, tool: string, args: string): Promise<ToolResult>;
}

/** Where events come from. The callback gets each event at least once and in order; `lost` says that some may be missing. */
export interface EventSource {
  subscribe(after: () => number, onEvent: (e: Event) => void, onLink: (state: LinkState) => void): () => void;
}

/** up: events flow. lost: they may have been missed, pull again. down: not connected, being tried again. */
export type LinkState = 'up' | 'lost' | 'down';

/** What a front end is given: the questions, the events, and the shell's clipboard where the page has none. */
export interface Backend extends EventSource {
  service: Service;
  copy(text: string): Promise<void>;
  /** Sends one file of an upload to the program; null where the program asks for files itself. */
  send: ((upload: string, file: File, onSent: (bytes: number) => void, stop: AbortSignal) => Promise<void>) | null;
  /** Lets the browser write what the program offers at an address. */
  download(address: string): void;
  /** Pictures that the shell took where a file was let go over the window; null where the page gets them itself. */
  dropped: ((take: (files: File[]) => void) => void) | null;
}

/** Bytes of one page of a long text, as the Go side cuts them. */
export const PAGE_SIZE = 1 << 20;
