import type { Key } from './index';
import type { Dictionary } from './translate';
import { details } from './zh/details';
import { lab } from './zh/lab';
import { sessions } from './zh/sessions';
import { traffic } from './zh/traffic';
import { window } from './zh/window';

export const zh: Dictionary<Key> = { ...window, ...details, ...sessions, ...traffic, ...lab };
