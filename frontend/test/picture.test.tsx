import { readFileSync } from 'node:fs';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { MessageView } from '../src/api/types.gen';
import { fixture } from '../src/dev/fixture';
import { kindOf, MAX_PICTURE_BYTES, MAX_PICTURES, PICTURE_TYPES, refusal } from '../src/model/picture';
import { attachPictures, service, start } from '../src/state/actions';
import { waiting } from '../src/state/pictures';
import { get, INITIAL, set } from '../src/state/store';
import { decodePictures, wails } from '../src/transport/wails';
import { App } from '../src/ui/App';
import { Pictures } from '../src/ui/panes/Attached';

const PNG = Uint8Array.from(atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='), (c) => c.charCodeAt(0));
const dot = (name = 'dot.png') => new File([PNG], name, { type: 'image/png' });
const words = new File(['words'], 'note.png', { type: 'image/png' });

beforeEach(() => {
  window.localStorage.clear();
  set(INITIAL, true);
});
afterEach(cleanup);

async function open() {
  render(<App />);
  await act(async () => start(fixture('idle')));
  await waitFor(() => expect(screen.getByTestId('composer')).toBeTruthy());
  act(() => set({ prefs: { ...get().prefs, lang: 'en' } }));
}

const chips = () => screen.queryByTestId('attached')?.querySelectorAll('li').length ?? 0;

describe('what a picture is', () => {
  it('is told by its bytes', () => {
    const start = (text: string) => kindOf(Uint8Array.from(text, (c) => c.charCodeAt(0)));
    expect([kindOf(PNG), start('GIF89a'), start('\xff\xd8\xff\xe0'), start('RIFF\x01\0\0\0WEBP')]).toEqual(['image/png', 'image/gif', 'image/jpeg', 'image/webp']);
    expect([start('words'), start(''), start('<svg xmlns'), start('RIFF\x01\0\0\0WAVE')]).toEqual(['', '', '', '']);
  });

  it('has the limits of the program', () => {
    const go = readFileSync('../app/picture/picture.go', 'utf8');
    expect(go).toContain(`MaxBytes = ${MAX_PICTURE_BYTES >> 20} << 20`);
    expect(go).toContain(`MaxCount = ${MAX_PICTURES}`);
    expect(PICTURE_TYPES.every((t) => go.includes(`"${t}"`))).toBe(true);
  });

  it('is refused by kind, size, number and sum', () => {
    const half = { bytes: MAX_PICTURE_BYTES / 2 };
    expect(refusal([], '', 5)).toBe('picture-kind');
    expect(refusal([], 'image/png', MAX_PICTURE_BYTES + 1)).toBe('picture-size');
    expect(refusal(Array(MAX_PICTURES).fill({ bytes: 1 }), 'image/png', 1)).toBe('picture-many');
    expect(refusal([half], 'image/png', half.bytes + 1)).toBe('pictures');
    expect(refusal([half], 'image/png', half.bytes)).toBeNull();
  });
});

describe('the composer', () => {
  it('sends chosen pictures with the text, and keeps them when that is refused', async () => {
    await open();
    const sent = vi.spyOn(service(), 'prompt').mockRejectedValueOnce(new Error('the agent is working: stop it first'));
    fireEvent.change(screen.getByTestId('attach-input'), { target: { files: [dot()] } });
    await waitFor(() => expect(chips()).toBe(1));
    expect(screen.getByTestId('attached').textContent).toContain('dot.png');
    expect(screen.getByTestId('attached').textContent).toContain('PNG, 70 B');
    expect((screen.getByTestId('send') as HTMLButtonElement).disabled).toBe(true);
    fireEvent.change(screen.getByTestId('composer'), { target: { value: 'What is this?' } });
    await act(async () => void fireEvent.click(screen.getByTestId('send')));
    await waitFor(() => expect(get().busy).toBe(''));
    expect(chips()).toBe(1);
    await act(async () => void fireEvent.click(screen.getByTestId('send')));
    await waitFor(() => expect(chips()).toBe(0));
    expect(sent).toHaveBeenLastCalledWith('What is this?', [{ name: 'dot.png', data: btoa(String.fromCharCode(...PNG)) }]);
  });

  it('takes a pasted picture, and leaves pasted words to the field', async () => {
    await open();
    const paste = (text: string) => fireEvent.paste(screen.getByTestId('composer'), { clipboardData: { files: [dot('image.png')], getData: () => text } });
    expect(paste('words')).toBe(true);
    expect(paste('')).toBe(false);
    await waitFor(() => expect(chips()).toBe(1));
  });

  it('takes a dropped picture without importing it, and imports the rest', async () => {
    await open();
    const imported = vi.spyOn(service(), 'chooseImport');
    const drop = (files: File[]) => fireEvent.drop(screen.getByTestId('composer'), { dataTransfer: { types: ['Files'], files } });
    await act(async () => void drop([dot()]));
    await waitFor(() => expect(chips()).toBe(1));
    expect([imported.mock.calls.length, get().uploads.length]).toEqual([0, 0]);
  });

  it('removes one, and says which can’t go and why', async () => {
    await open();
    await act(async () => attachPictures([dot('a.png'), words, dot('b.png')]));
    expect(chips()).toBe(2);
    expect(get().toast?.text).toBe('note.png: it is no PNG, JPEG, GIF or WebP picture');
    fireEvent.click(screen.getByRole('button', { name: 'Remove a.png' }));
    await waitFor(() => expect(chips()).toBe(1));
    expect(document.activeElement).toBe(screen.getByTestId('composer'));
    await act(async () => attachPictures(Array.from({ length: MAX_PICTURES }, (_, i) => dot(`${i}.png`))));
    expect(chips()).toBe(MAX_PICTURES);
    expect(get().toast?.text).toContain('more than 8 pictures');
    act(() => set({ prefs: { ...get().prefs, lang: 'zh' } }));
    expect(screen.getByTestId('toast').textContent).toContain('一条消息的图片超过 8 张');
  });

  it('keeps the pictures of one session out of another', async () => {
    await open();
    await act(async () => attachPictures([dot()]));
    expect(chips()).toBe(1);
    act(() => set({ snapshot: { ...get().snapshot!, current: 'other' } }));
    expect(chips()).toBe(0);
  });
});

describe('a picture of a message', () => {
  it('is told of and not drawn, whatever its type claims', () => {
    set({ prefs: { ...get().prefs, lang: 'en' } });
    const m = { images: 3, pictures: [{ type: 'image/png', bytes: 70 }, { type: '<img src=x>', bytes: 1 }, { type: '', bytes: 0 }] } as MessageView;
    const { container } = render(<Pictures message={m} />);
    expect([...container.querySelectorAll('.tag')].map((e) => e.textContent)).toEqual(['Picture, PNG, 70 B', 'Picture, <IMG SRC=X>, 1 B', 'Picture, by its address']);
    expect(container.querySelector('img')).toBeNull();
  });
});

describe('pictures that the window’s shell hands over', () => {
  it('arrive as files, and nonsense as none', async () => {
    let hand: (data: unknown) => void = () => undefined;
    const backend = wails({ go: { window: { Facade: { Call: async () => 'null' } } }, runtime: { EventsOn: (name, f) => (name === 'zimoscope:pictures' && (hand = f), () => undefined) } });
    const got: File[][] = [];
    backend.dropped?.((files) => got.push(files));
    hand(JSON.stringify([{ name: 'dot.png', data: btoa(String.fromCharCode(...PNG)) }]));
    expect(got[0][0].name).toBe('dot.png');
    expect(new Uint8Array(await got[0][0].arrayBuffer())).toEqual(PNG);
    expect([decodePictures('nonsense'), decodePictures(undefined), decodePictures('{}')]).toEqual([[], [], []]);
  });
});

describe('pictures that wait', () => {
  it('wait in the session that they were given in, and in no other', () => {
    const one = { id: 1, name: 'a.png', type: 'image/png', bytes: 3, data: 'eHl6', thumb: '' };
    const at = (current: string | null) => waiting({ attached: { session: 'a', list: [one] }, snapshot: current === null ? null : { current } });
    expect([at('a'), at('b'), at(null)]).toEqual([[one], [], []]);
  });
});
