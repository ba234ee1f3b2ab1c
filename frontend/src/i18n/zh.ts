import type { Key } from './index';
import type { Dictionary } from './translate';
import { details } from './zh/details';
import { sessions } from './zh/sessions';
import { window } from './zh/window';

export const zh: Dictionary<Key> = { ...window, ...details, ...sessions };
