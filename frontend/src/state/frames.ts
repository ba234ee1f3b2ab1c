// Events by the frame: what comes between two frames is handled at once, so that a burst costs one pass.

/** Milliseconds after which waiting things are handled in a page that draws no frames. */
const HIDDEN_MS = 100;

export type Schedule = (run: () => void) => void;

/** The next frame; a page in the background has none, so a timer stands in. */
const nextFrame: Schedule = (run) => {
  if (document.visibilityState === 'hidden') setTimeout(run, HIDDEN_MS);
  else requestAnimationFrame(run);
};

export class Frames<T> {
  private waiting: T[] = [];

  constructor(
    private readonly handle: (batch: readonly T[]) => void,
    private readonly schedule: Schedule = nextFrame,
  ) {}

  add(x: T): void {
    this.waiting.push(x);
    if (this.waiting.length === 1) this.schedule(() => this.flush());
  }

  private flush(): void {
    const batch = this.waiting;
    this.waiting = [];
    this.handle(batch);
  }
}
