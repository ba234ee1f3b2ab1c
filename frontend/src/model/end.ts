// Whether a scrolled pane stays at its end while it grows there: as long as it was last brought to its end, by a person or
// by itself. How far the end is away is no measure for it: an answer may come in one piece.

/** How near the end in px a person must have scrolled to go on with what grows there. */
const NEAR = 80;

/** What of an element is read and set. */
export interface Scrolled {
  scrollTop: number;
  readonly scrollHeight: number;
  readonly clientHeight: number;
}

export class End {
  private at = true;
  private put = -1; // where it was brought to, not by a person

  /** Brings the pane to its end. */
  go(el: Scrolled): void {
    el.scrollTop = el.scrollHeight;
    this.put = el.scrollTop;
    this.at = true;
  }

  /** The pane says that it was scrolled; of its own going it says so later, when it may have grown. */
  scrolled(el: Scrolled): void {
    if (el.scrollTop === this.put) return;
    this.put = -1;
    this.at = el.scrollHeight - el.scrollTop - el.clientHeight < NEAR;
  }

  /** The pane has grown. */
  grown(el: Scrolled): void {
    if (this.at) this.go(el);
  }
}
