import { expect, it } from 'vitest';
import { Puller, type Clock } from '../src/state/puller';

/** Time that moves only when it is told to. */
class FakeClock implements Clock {
  t = 0;
  waiting: { at: number; run: () => void }[] = [];
  now = () => this.t;
  later = (ms: number, run: () => void) => void this.waiting.push({ at: this.t + ms, run });
  async pass(ms: number): Promise<void> {
    for (const end = this.t + ms; ; ) {
      const next = this.waiting.filter((w) => w.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) {
        this.t = end;
        break;
      }
      this.waiting.splice(this.waiting.indexOf(next), 1);
      this.t = next.at;
      next.run();
      await settle();
    }
  }
}

const settle = async () => {
  for (let i = 0; i < 5; i++) await Promise.resolve();
};

it('pulls once for many marks', async () => {
  const clock = new FakeClock();
  let pulls = 0;
  const p = new Puller<'x'>(async () => void pulls++, clock);
  for (let i = 0; i < 100; i++) p.mark(['x']);
  await clock.pass(1000);
  expect(pulls).toBe(1);
});

it('pulls again when something went stale meanwhile, and never two at a time', async () => {
  const clock = new FakeClock();
  let running = 0;
  let most = 0;
  let pulls = 0;
  let finish: () => void = () => undefined;
  const p = new Puller<'x'>(async () => {
    most = Math.max(most, ++running);
    pulls++;
    await new Promise<void>((done) => (finish = done));
    running--;
  }, clock);
  p.now(['x']);
  p.mark(['x']);
  await clock.pass(500);
  expect(pulls).toBe(1);
  finish();
  await settle();
  await clock.pass(5000);
  expect([pulls, most]).toEqual([2, 1]);
});

it('gives a slow pull rest in proportion, but does what a person asked for at once', async () => {
  const clock = new FakeClock();
  let pulls = 0;
  const p = new Puller<'x'>(async () => {
    pulls++;
    clock.t += 200;
  }, clock);
  p.now(['x']);
  await settle();
  p.mark(['x']);
  await clock.pass(300);
  expect(pulls).toBe(1);
  p.now(['x']);
  await settle();
  expect(pulls).toBe(2);
});

it('does what a person asked for during a slow pull as soon as that ends, once', async () => {
  const clock = new FakeClock();
  let pulls = 0;
  let finish: () => void = () => undefined;
  const p = new Puller<'x'>(async () => {
    pulls++;
    await new Promise<void>((done) => (finish = done));
    clock.t += 200;
  }, clock);
  p.now(['x']);
  p.now(['x']);
  p.mark(['x']);
  finish();
  await settle();
  expect(pulls).toBe(2);
  finish();
  await clock.pass(5000);
  expect(pulls).toBe(2);
});

