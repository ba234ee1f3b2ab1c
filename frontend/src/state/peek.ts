// The request that a person is about to choose: it is asked for while the pointer rests on its row, so that it is there
// when the row is clicked. At most one is held; whatever may have changed it drops it.
import type { RequestRef, RequestView } from '../api/types.gen';

/** Milliseconds for which the pointer rests on a row before its request is asked for: one that only passes asks nothing. */
export const REST_MS = 40;

/** Milliseconds for which what was asked is held. */
export const HELD_MS = 5000;

interface Held {
  ref: RequestRef;
  at: number;
  view: Promise<RequestView>;
}

export class Peek {
  private held: Held | null = null;
  private waits: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly ask: (ref: RequestRef) => Promise<RequestView>) {}

  /** The pointer has come to a row. */
  come(ref: RequestRef): void {
    this.leave();
    if (this.holds(ref)) return;
    this.waits = setTimeout(() => {
      const view = this.ask(ref);
      view.catch(() => this.drop()); // whoever chooses it asks anew, and hears why
      this.held = { ref, at: Date.now(), view };
    }, REST_MS);
  }

  leave(): void {
    clearTimeout(this.waits);
  }

  /** What was asked for this request, once; null where nothing was, or it may be old. */
  take(ref: RequestRef): Promise<RequestView> | null {
    this.leave();
    const view = this.holds(ref) ? this.held?.view : undefined;
    this.drop();
    return view ?? null;
  }

  drop(): void {
    this.held = null;
  }

  private holds(ref: RequestRef): boolean {
    return this.held !== null && this.held.ref.session === ref.session && this.held.ref.n === ref.n && Date.now() - this.held.at < HELD_MS;
  }
}
