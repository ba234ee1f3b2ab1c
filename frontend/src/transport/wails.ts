// The window's transport: one bound method that takes and returns JSON strings, and runtime events.
import type { Backend } from '../api/service';
import type { Event, Picture } from '../api/types.gen';
import { OWN } from '../i18n/own';
import { copyInPage } from './clipboard';
import { service, type Call } from './client';

/** The one event name under which the program sends api.Event, as a JSON string. */
const EVENT = 'zimoscope';

/** The event with pictures that were let go over the window, as a JSON list of api.Picture. */
const PICTURES = 'zimoscope:pictures';

interface Facade {
  Call(method: string, argsJSON: string): Promise<string>;
}

interface Runtime {
  EventsOn(name: string, callback: (...data: unknown[]) => void): () => void;
  ClipboardSetText?(text: string): Promise<boolean>;
}

export interface WailsGlobals {
  go?: { window?: { Facade?: Facade } };
  runtime?: Runtime;
}

export function isWails(w: WailsGlobals): boolean {
  return w.go?.window?.Facade !== undefined;
}

export function wails(w: WailsGlobals): Backend {
  const facade = w.go?.window?.Facade;
  if (!facade) throw new Error(OWN['own.bindings']);
  const call: Call = async (method, args) => {
    let text: string;
    try {
      text = await facade.Call(method, JSON.stringify(args));
    } catch (e) {
      throw e instanceof Error ? e : new Error(String(e));
    }
    return text === '' ? null : JSON.parse(text);
  };
  return {
    service: service(call),
    subscribe(_after, onEvent, onLink) {
      const off = w.runtime?.EventsOn(EVENT, (data) => {
        const event = decodeEvent(data);
        if (event) onEvent(event);
      });
      onLink('up');
      return () => off?.();
    },
    send: null,
    download: () => undefined, // the program wrote where a person said
    dropped: (take) => void w.runtime?.EventsOn(PICTURES, (data) => take(decodePictures(data))),
    async copy(text) {
      if (await w.runtime?.ClipboardSetText?.(text)) return;
      await copyInPage(text);
    },
  };
}

/** Pictures as files of the page; what is no list of them is none. */
export function decodePictures(data: unknown): File[] {
  try {
    return (JSON.parse(String(data)) as Picture[]).map((p) => new File([Uint8Array.from(atob(p.data), (c) => c.charCodeAt(0))], p.name));
  } catch {
    return [];
  }
}

/** An event from its JSON; undefined for anything else. */
export function decodeEvent(data: unknown): Event | undefined {
  let value: unknown = data;
  if (typeof data === 'string') {
    try {
      value = JSON.parse(data);
    } catch {
      return undefined;
    }
  }
  const e = value as Event | null;
  return e !== null && typeof e === 'object' && typeof e.seq === 'number' && typeof e.topic === 'string' ? e : undefined;
}
