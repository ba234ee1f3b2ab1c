// Chooses the shell this page runs in.
import type { Backend } from '../api/service';
import { http, takeToken } from './http';
import { isWails, wails, type WailsGlobals } from './wails';

export function connect(): Backend {
  const w = window as unknown as WailsGlobals;
  return isWails(w) ? wails(w) : http(takeToken(window.location, window.history, window.sessionStorage));
}
