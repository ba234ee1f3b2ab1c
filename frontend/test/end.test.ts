import { expect, it } from 'vitest';
import { End } from '../src/model/end';

/** An element of 400 px that scrolls as browsers do: never beyond its end. */
function pane(height: number) {
  let top = 0;
  return {
    scrollHeight: height, clientHeight: 400,
    get scrollTop() { return top; },
    set scrollTop(to: number) { top = Math.max(0, Math.min(to, this.scrollHeight - 400)); },
  };
}

it('stays at the end, however much comes at once', () => {
  const el = pane(1000);
  const end = new End();
  end.go(el);
  el.scrollHeight = 1500;
  end.scrolled(el); // of going there, told late
  end.grown(el);
  expect(el.scrollTop).toBe(1100);
});

it('leaves a person where they scrolled to, until they come back near the end', () => {
  const el = pane(1000);
  const end = new End();
  end.go(el);
  el.scrollTop = 300;
  end.scrolled(el);
  el.scrollHeight = 1200;
  end.grown(el);
  expect(el.scrollTop).toBe(300);
  el.scrollTop = 750;
  end.scrolled(el);
  el.scrollHeight = 1300;
  end.grown(el);
  expect(el.scrollTop).toBe(900);
});
