// Pulls of what went stale: each kind at most once at a time, once more if it went stale meanwhile, and never faster
// than the answers can be drawn.

/** Milliseconds in which stale marks are gathered before they are pulled: a streaming answer marks many times. */
export const GATHER_MS = 40;

/** A slow pull is repeated at most every so many times its own duration, so that it leaves room for other work. */
const REST_FACTOR = 3;

export interface Clock {
  now(): number;
  later(ms: number, run: () => void): void;
}

const REAL: Clock = { now: () => performance.now(), later: (ms, run) => void setTimeout(run, ms) };

export class Puller<K extends string> {
  private stale = new Set<K>();
  private running = new Set<K>();
  private asked = new Set<K>(); // by a person, while the same was being pulled
  private notBefore = new Map<K, number>();
  private planned = false;

  constructor(
    private readonly pull: (key: K) => Promise<void>,
    private readonly clock: Clock = REAL,
  ) {}

  mark(keys: readonly K[]): void {
    for (const k of keys) this.stale.add(k);
    if (this.stale.size > 0) this.plan(GATHER_MS);
  }

  /** Pulls without waiting for more marks: for what a person asked for. */
  now(keys: readonly K[]): void {
    for (const k of keys) {
      this.stale.add(k);
      this.notBefore.delete(k);
      if (this.running.has(k)) this.asked.add(k);
    }
    this.flush();
  }

  private plan(ms: number): void {
    if (this.planned) return;
    this.planned = true;
    this.clock.later(ms, () => {
      this.planned = false;
      this.flush();
    });
  }

  private flush(): void {
    const now = this.clock.now();
    let wait = Infinity;
    for (const k of [...this.stale]) {
      if (this.running.has(k)) continue; // run() comes back to it
      const due = this.notBefore.get(k) ?? 0;
      if (due > now) wait = Math.min(wait, due - now);
      else void this.run(k);
    }
    if (wait < Infinity) this.plan(wait);
  }

  private async run(key: K): Promise<void> {
    this.stale.delete(key);
    this.running.add(key);
    const start = this.clock.now();
    try {
      await this.pull(key);
    } finally {
      const end = this.clock.now();
      this.running.delete(key);
      this.notBefore.set(key, end + (end - start) * REST_FACTOR);
      if (this.asked.delete(key)) this.now([key]);
      else if (this.stale.has(key)) this.plan(GATHER_MS);
    }
  }
}
