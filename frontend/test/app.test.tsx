import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fixture } from '../src/dev/fixture';
import { start } from '../src/state/actions';
import { get, INITIAL, set } from '../src/state/store';
import { App } from '../src/ui/App';

beforeEach(() => {
  window.localStorage.clear();
  set(INITIAL, true);
});
afterEach(cleanup);

async function open(variant: string): Promise<void> {
  render(<App />);
  await act(async () => {
    await start(fixture(variant));
  });
  await waitFor(() => expect(variant === 'first' || get().diff !== null).toBe(true));
}

describe('the window on the fixture', () => {
  it('shows three panes, the newest request and its diff', async () => {
    await open('violation');
    for (const id of ['timeline', 'pane-prefix', 'pane-history', 'pane-carrier', 'drawer', 'statusbar']) expect(screen.getByTestId(id)).toBeTruthy();
    expect(get().choice.n).toBe(12);
    expect(get().diff?.base.n).toBe(11);
  });

  it('moves by keyboard, and stops following an older request', async () => {
    await open('violation');
    fireEvent.keyDown(document.body, { key: 'k' });
    await waitFor(() => expect([get().choice.n, get().choice.follow, get().view?.row.n]).toEqual([11, false, 11]));
  });

  it('offers one button at the first run, and shows the session it starts', async () => {
    await open('first');
    const button = screen.getByTestId('start-demo');
    expect(document.activeElement).toBe(button);
    fireEvent.click(button);
    expect(await screen.findByTestId('pane-history')).toBeTruthy();
  });

  it('has words for a provider and a server that are down', async () => {
    await open('down');
    const alerts = screen.getAllByRole('alert').map((a) => a.textContent).join('\n');
    expect(alerts).toContain('does not answer');
    expect(alerts).toContain('exit code 127');
    expect(alerts).toContain('PATH=/usr/local/bin');
    expect(alerts).toContain('No such file');
  });

  it('offers Continue and Abandon while paused, and says that nothing was sent', async () => {
    await open('stepper');
    expect(screen.getByTestId('continue').className).toContain('solid');
    expect(screen.getByTestId('abandon')).toBeTruthy();
    await waitFor(() => expect(screen.getByTestId('request-head').textContent).toContain('Nothing of it has been sent.'));
  });

  it('has no run controls for what is read-only', async () => {
    await open('readonly');
    expect(screen.queryByTestId('run')).toBeNull();
    expect(screen.getByTestId('composer-off')).toBeTruthy();
  });

  it('runs nothing that a session says', async () => {
    await open('hostile');
    expect(document.querySelector('img, script, iframe')).toBeNull();
  });
});
