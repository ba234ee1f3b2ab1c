import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Predict, RequestRow, RequestView } from '../src/api/types.gen';
import { INITIAL, set } from '../src/state/store';
import { RequestHead } from '../src/ui/RequestHead';
import { row } from './rows';

beforeEach(() => set({ ...INITIAL, prefs: { ...INITIAL.prefs, lang: 'en' } }));
afterEach(cleanup);

function head(change: Partial<RequestRow>, predictions: Predict[] = []) {
  set({ view: { row: row(change), predictions } as unknown as RequestView });
  render(<RequestHead />);
  return screen.getByTestId('head-reuse');
}

describe('reuse in the head of a request', () => {
  const token = { class: 'token', reused: 90, total: 100, exact: false };

  it('sets the prediction beside the report, and every kind of cache in its explanation', () => {
    const at = head({ predicted: token, usage: { reported: true, prompt: 100, cached: 50, cachedSaid: true, completion: 1 } }, [token, { ...token, class: 'block', reused: 80 }]);
    expect(at.textContent).toBe('Cache: predicted ≈ 90.0%, reported 50.0%');
    expect(at.title).toContain('• Prefix, per token: ≈ 90.0%\nPrefix, in blocks: ≈ 80.0%');
    expect(at.title).toContain('o200k_base');
  });

  it.each([
    ['counting', 'Cache: prediction being counted, not reported', 'still being counted'],
    ['elsewhere', 'Cache: not predicted, not reported', 'previous_response_id'],
    ['unread', 'Cache: not predicted, not reported', 'can\'t be read'],
    ['stopped', 'Cache: not predicted, not reported', 'made a mistake while it counted'],
    ['', 'Cache: not reported, predicted in the lab', 'the cache lab computes it'],
  ])('says why nothing is predicted: %s', (unpredicted, words, why) => {
    const at = head({ predicted: null, unpredicted, usage: { reported: false, prompt: 0, cached: 0, cachedSaid: false, completion: 0 } });
    expect(at.textContent).toBe(words);
    expect(at.title).toContain(why);
  });
});
