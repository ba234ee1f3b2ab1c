import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SearchHit, SearchPage, SessionInfo, Settings } from '../src/api/types.gen';
import { fixture } from '../src/dev/fixture';
import { begin, bySession, grow, MOST_HITS } from '../src/model/search';
import { listed } from '../src/model/sessions';
import { fromForm, isChanged, problems, toForm } from '../src/model/settings';
import { pullAgain, service, show, start } from '../src/state/actions';
import { search, stopSearch } from '../src/state/search';
import { get, INITIAL, set } from '../src/state/store';
import { App } from '../src/ui/App';

const hit = (request: number, session = 's1'): SearchHit => ({ session, name: session, request, verdict: 'sealed', planned: true, tools: [], where: 'user', snippet: 'x', match: { from: 0, to: 1 } });
const page = (change: Partial<SearchPage>): SearchPage => ({ hits: [], next: { session: 's1', request: 1, event: 0, part: 0 }, done: false, searched: 0, sessions: 2, skipped: [], ...change });

beforeEach(() => {
  window.localStorage.clear();
  set(INITIAL, true);
});
afterEach(cleanup);

async function open(variant = 'violation'): Promise<void> {
  render(<App />);
  await act(async () => start(fixture(variant)));
  await waitFor(() => expect(get().view).not.toBeNull());
}

describe('a search', () => {
  it('grows slice by slice and ends when the program says so, or when the list is full', () => {
    let s = grow(begin('x'), page({ hits: [hit(1), hit(2)], searched: 0 }));
    expect([s.phase, s.hits.length]).toEqual(['running', 2]);
    s = grow(s, page({ hits: [hit(3, 's2')], done: true, searched: 2 }));
    expect([s.phase, s.hits.length, s.searched]).toEqual(['done', 3, 2]);
    expect(bySession(s.hits).map((g) => [g.session, g.hits.length])).toEqual([['s1', 2], ['s2', 1]]);
    const full = grow(begin('x'), page({ hits: Array.from({ length: MOST_HITS + 9 }, (_, i) => hit(i)) }));
    expect([full.phase, full.hits.length]).toEqual(['full', MOST_HITS]);
    expect(begin('  ').phase).toBe('idle');
  });

  it('asks on from where the slice before ended, and not after it was stopped', async () => {
    await open();
    const asked: number[] = [];
    const ask = vi.spyOn(service(), 'search').mockImplementation(async (q) => {
      asked.push(q.from.request);
      if (asked.length === 3) stopSearch();
      return page({ hits: [hit(asked.length)], next: { ...q.from, request: q.from.request + 1 } });
    });
    await act(async () => search('x'));
    expect(asked).toEqual([0, 1, 2]);
    expect([get().search.phase, get().search.hits.length]).toEqual(['stopped', 2]);
    ask.mockRejectedValue(new Error('The store is gone.'));
    await act(async () => search('y'));
    expect([get().search.phase, get().search.error]).toEqual(['failed', 'The store is gone.']);
  });

  it('lists hits with their words marked, and opens one by keyboard', async () => {
    await open();
    await act(async () => show({ kind: 'search' }));
    const field = screen.getByTestId('search');
    fireEvent.change(field, { target: { value: 'shopping' } });
    await act(async () => void fireEvent.keyDown(field, { key: 'Enter' }));
    await waitFor(() => expect(document.querySelectorAll('.hit mark').length).toBe(2));
    expect(screen.getByTestId('search-said').textContent).toContain('2 requests in 2 sessions');
    await act(async () => void fireEvent.keyDown(field, { key: 'Enter' }));
    await waitFor(() => expect([get().overlay, get().choice.n]).toEqual([null, 3]));
  });
});

describe('settings', () => {
  const before: Settings = { baseURL: 'http://h', model: 'm', profile: '', apiKeyEnv: '', apiKeyKeyring: '', system: '', temperature: '0.20', maxTokens: '', contextWindow: 0, maxSteps: 9, params: '', servers: '' };

  it('come back from the form as they were', () => {
    const form = toForm(before);
    expect(form.contextWindow).toBe('');
    expect(fromForm(form)).toEqual(before);
    expect(isChanged(form, before)).toBe(false);
    expect(isChanged({ ...form, temperature: '0.2' }, before)).toBe(true);
  });

  it('are told what is wrong with them, field by field', () => {
    const form = { ...toForm(before), model: ' ', temperature: 'warm', maxTokens: '1.5', contextWindow: '-1', params: '[1]', servers: '{ "a": {} }' };
    expect(problems(form).map((p) => `${p.field} ${p.kind}`)).toEqual(['model required', 'temperature number', 'contextWindow whole', 'maxTokens whole', 'params object']);
  });

  it('are saved only when something changed, and then read as not in effect', async () => {
    await open('readyforhand');
    await act(async () => show({ kind: 'settings', session: 's1' }));
    await screen.findByTestId('settings-system');
    const save = screen.getByTestId('settings-save') as HTMLButtonElement;
    expect(save.disabled).toBe(true);
    fireEvent.change(screen.getByTestId('settings-system'), { target: { value: 'Be brief.' } });
    expect(save.disabled).toBe(false);
    await act(async () => void fireEvent.click(save));
    await waitFor(() => expect(get().overlay).toBeNull());
    await act(async () => show({ kind: 'settings', session: 's1' }));
    expect(await screen.findByTestId('settings-pending')).toBeTruthy();
  });

  it('of a session that is held can be read and not changed', async () => {
    await open('readonly');
    await act(async () => show({ kind: 'settings', session: 's1' }));
    await screen.findByTestId('settings-model');
    expect(screen.queryByTestId('settings-save')).toBeNull();
    expect((screen.getByTestId('settings-model') as HTMLInputElement).readOnly).toBe(true);
  });
});

describe('the list of sessions', () => {
  it('has pinned ones first, each part in its order', () => {
    const s = (id: string, pinned: boolean) => ({ id, pinned }) as SessionInfo;
    expect(listed([s('d', false), s('c', true), s('b', false), s('a', true)]).map((x) => x.id)).toEqual(['c', 'a', 'd', 'b']);
  });

  it('offers to undo a deletion, at the foot and in the palette', async () => {
    await open();
    await act(async () => show({ kind: 'delete', session: 's1' }));
    await act(async () => void fireEvent.click(screen.getByTestId('delete-confirm')));
    const undo = await screen.findByTestId('toast-action');
    const restore = vi.spyOn(service(), 'restore');
    expect(get().deleted?.session).toBe('s1');
    await act(async () => void fireEvent.click(undo));
    expect(restore).toHaveBeenCalledWith('s1');
    await waitFor(() => expect([get().deleted, get().toast]).toEqual([null, null]));
  });
});

it('a refusal about a session that is no longer the open one is not told', async () => {
  await open();
  const before = get().snapshot;
  if (!before) throw new Error('no snapshot');
  const told = vi.spyOn(service(), 'timelineSince').mockRejectedValueOnce(new Error('session s1 is not the open one'));
  const moved = vi.spyOn(service(), 'snapshot').mockResolvedValue({ ...before, seq: before.seq + 9, current: 's2' });
  act(() => pullAgain());
  await waitFor(() => expect(get().snapshot?.current).toBe('s2'));
  await waitFor(() => expect(told.mock.calls.length).toBeGreaterThan(1));
  expect(get().toast).toBeNull();
  moved.mockRestore();
});

it('a key is never kept in the page once it was saved, and no keyring is said in words', async () => {
  await open();
  await act(async () => show({ kind: 'keys' }));
  expect((await screen.findByTestId('keys-none')).textContent).toContain('environment variable');
  expect((screen.getByTestId('key-save') as HTMLButtonElement).disabled).toBe(true);
  cleanup();
  vi.spyOn(service(), 'keyState').mockResolvedValue({ available: true, saved: true, why: '' });
  const saved = vi.spyOn(service(), 'saveKey');
  await act(async () => show({ kind: 'keys' }));
  render(<App />);
  await screen.findByText('A key is saved under this name.');
  const field = screen.getByTestId('key-value') as HTMLInputElement;
  expect([field.type, field.value]).toEqual(['password', '']);
  fireEvent.change(field, { target: { value: 'sk-1' } });
  await act(async () => void fireEvent.click(screen.getByTestId('key-save')));
  expect(saved).toHaveBeenCalledWith('default', 'sk-1');
  await waitFor(() => expect(field.value).toBe(''));
  expect(JSON.stringify(get())).not.toContain('sk-1');
});
