// Keeps the store in step with the program. The race between snapshot and live events is settled by numbers: events are
// listened to before the first snapshot is pulled; of those it covers only what it holds is dropped, and a gap pulls
// everything again.
import type { Backend } from '../api/service';
import type { Event, Timeline } from '../api/types.gen';
import { arrive, cameWith, diffOf } from '../model/choice';
import { accept, EVERYTHING, type Stale } from '../model/inbox';
import { merge, revOf } from '../model/merge';
import { isOpen, isOutdated } from '../model/run';
import { kept, shared } from '../model/history';
import { newest } from '../model/timeline';
import { Frames } from './frames';
import { Peek } from './peek';
import { Puller } from './puller';
import { get, set } from './store';
import { pullJobs } from './jobs';

/** Rows of traffic kept in the page; the program keeps all. */
const TRAFFIC_KEPT = 5000;

export class Sync {
  private seq = 0; // of the last event, at first of the first snapshot
  private included = 0; // of the last snapshot
  private stopped = false;
  private early: Event[] | null = [];
  private readonly frames = new Frames<Event>((batch) => this.take(batch));
  private readonly puller = new Puller<Stale>((key) => this.pull(key));
  private readonly peeked = new Peek((ref) => this.backend.service.request(ref));
  private unsubscribe: () => void = () => undefined;

  constructor(private readonly backend: Backend) {}

  async start(): Promise<void> {
    this.unsubscribe = this.backend.subscribe(
      () => this.seq,
      (e) => this.receive(e),
      (link) => {
        set({ link });
        if (link === 'lost') this.everything();
      },
    );
    document.addEventListener('visibilitychange', this.woke);
    await this.first();
  }

  stop(): void {
    this.stopped = true;
    this.unsubscribe();
    document.removeEventListener('visibilitychange', this.woke);
  }

  /** Pulls what a person just asked for. */
  now(keys: readonly Stale[]): void {
    this.puller.now(keys);
  }

  /** The pointer rests on a request's row; 0: on none. */
  peek(n: number): void {
    if (n > 0) this.peeked.come({ session: get().choice.session, n });
    else this.peeked.leave();
  }

  everything(): void {
    this.puller.mark(EVERYTHING);
  }

  private readonly woke = () => {
    // a sleeping page's events may have been dropped by the shell
    if (document.visibilityState === 'visible' && get().phase === 'ready') this.everything();
  };

  private async first(): Promise<void> {
    try {
      await this.pullSnapshot();
      await this.pullTimeline();
      set({ phase: 'ready' });
    } catch (e) {
      set({ phase: 'failed', startError: message(e) });
      return;
    }
    const early = this.early ?? [];
    this.early = null;
    early.forEach((e) => this.receive(e));
    this.puller.now(['view', 'live', 'traffic', 'jobs', 'e2e', 'lab']);
  }

  private receive(e: Event): void {
    if (this.early) {
      this.early.push(e);
      return;
    }
    this.frames.add(e);
  }

  private take(batch: readonly Event[]): void {
    const { choice, diff } = get();
    const watch = { session: choice.session, n: choice.n, base: diff?.base ?? null };
    const stale = new Set<Stale>();
    for (const e of batch) {
      const got = accept(this.seq, this.included, e, watch);
      this.seq = got.seq;
      for (const key of got.stale) stale.add(key);
    }
    if (stale.has('view') || stale.has('timeline')) this.peeked.drop();
    this.puller.mark([...stale]);
  }

  private async pull(key: Stale): Promise<void> {
    if (this.stopped) return;
    const asked = key === 'timeline' ? (get().snapshot?.current ?? '') : get().choice.session;
    try {
      await this.pullOne(key);
    } catch (e) {
      if (key !== 'snapshot' && (await this.moved(asked))) return;
      set({ toast: { text: message(e), tone: 'bad', at: Date.now() } });
    }
  }

  private pullOne(key: Stale): Promise<void> {
    switch (key) {
      case 'snapshot':
        return this.pullSnapshot();
      case 'timeline':
        return this.pullTimeline();
      case 'view':
        return this.pullView();
      case 'diff':
        return this.pullDiff();
      case 'live':
        return this.pullLive();
      case 'traffic':
        return this.pullTraffic();
      case 'jobs':
        return pullJobs(this.backend);
      case 'lab':
        return this.pullLab();
      case 'e2e':
        return this.pullEndToEnd();
    }
  }

  /** Whether another session is open than was asked about: the refusal is of no use to a person then. */
  private async moved(asked: string): Promise<boolean> {
    if (get().snapshot?.current === asked) await this.pullSnapshot().catch(() => undefined);
    return get().snapshot?.current !== asked;
  }

  private async pullSnapshot(): Promise<void> {
    const before = get().snapshot;
    const snapshot = await this.backend.service.snapshot();
    this.included = snapshot.seq;
    if (!before) this.seq = snapshot.seq; // whatever comes apart is pulled after it
    set({ snapshot });
    if (before && before.current !== snapshot.current) {
      set({ timeline: null, view: null, diff: null, live: null, hand: null, filter: '' });
      this.puller.now(['timeline']);
    }
    if (!before || before.current !== snapshot.current || before.state.tools !== snapshot.state.tools) {
      if (snapshot.current !== '') set({ tools: await this.backend.service.tools().catch(() => []) });
    }
  }

  private async pullTimeline(): Promise<void> {
    const session = get().snapshot?.current ?? '';
    if (session === '') {
      set({ timeline: null, view: null, diff: null, live: null });
      return;
    }
    const timeline = await this.newTimeline(session);
    if (get().snapshot?.current !== session) return;
    const { choice, view, live, goto } = get();
    const wanted = goto?.session === session && goto.n <= timeline.rows.length;
    const next = wanted ? { session, n: goto.n, follow: false, base: null } : arrive(choice, timeline);
    if (goto) set({ goto: null });
    // the next request carries the frame that a call by hand brought: its note has done its work
    const carried = newest(timeline) > newest(get().timeline);
    set(carried ? { timeline, choice: next, hand: null } : { timeline, choice: next });
    const row = timeline.rows[next.n - 1];
    if (next.n !== choice.n || next.session !== choice.session || !view) this.puller.now(['view']);
    else if (row && isOutdated(view.row, row)) this.puller.mark(['view', 'diff']);
    if (row && isOpen(row) && !row.staged) this.puller.mark(['live']);
    else if (!live || !live.done) this.puller.mark(['live']);
  }

  /** What is held with what changed since; all of it where that does not join. */
  private async newTimeline(session: string): Promise<Timeline> {
    const have = get().timeline;
    const { service } = this.backend;
    const joined = merge(have, await service.timelineSince(session, revOf(have, session)));
    if (joined) return joined;
    const all = merge(null, await service.timelineSince(session, 0));
    if (!all) throw new Error('The program sent a timeline with a hole in it; reload the window.');
    return all;
  }

  private async pullView(): Promise<void> {
    const { choice } = get();
    if (choice.n === 0) {
      set({ view: null, diff: null });
      return;
    }
    try {
      const ref = { session: choice.session, n: choice.n };
      const view = await (this.peeked.take(ref) ?? this.backend.service.request(ref));
      const now = get().choice;
      if (now.n !== choice.n || now.session !== choice.session) return this.puller.mark(['view']);
      const came = cameWith(now, view);
      set({ view: kept(get().view, shared(get().view, view)), viewError: '', ...(came && { diff: came, diffError: '' }) });
      if (came) return;
    } catch (e) {
      set({ viewError: message(e) });
    }
    this.puller.now(['diff']);
  }

  private async pullDiff(): Promise<void> {
    const { choice, view } = get();
    const pair = diffOf(choice, view);
    if (!pair) {
      set({ diff: null, diffError: '' });
      return;
    }
    try {
      const diff = await this.backend.service.diff(pair.base, pair.next);
      const now = diffOf(get().choice, get().view);
      if (now?.next.n !== pair.next.n || now.base.n !== pair.base.n) return this.puller.mark(['diff']);
      set({ diff, diffError: '' });
    } catch (e) {
      set({ diff: null, diffError: message(e) });
    }
  }

  private async pullLab(): Promise<void> {
    set({ lab: await this.backend.service.lab() });
  }

  private async pullEndToEnd(): Promise<void> {
    set({ endToEnd: await this.backend.service.endToEnd() });
  }

  private async pullLive(): Promise<void> {
    const session = get().choice.session;
    if (session === '') return;
    const live = await this.backend.service.live(session);
    set({ live: live.session === get().choice.session ? live : null });
  }

  private async pullTraffic(): Promise<void> {
    const have = get().traffic;
    const rows = await this.backend.service.traffic(have.length > 0 ? have[have.length - 1].seq : 0);
    if (rows.length === 0) return;
    const last = have.length > 0 ? have[have.length - 1].seq : 0;
    const fresh = rows.filter((r) => r.seq > last);
    set({ traffic: [...have, ...fresh].slice(-TRAFFIC_KEPT) });
  }
}

export function message(e: unknown): string {
  return e instanceof Error ? e.message : String(e);
}
