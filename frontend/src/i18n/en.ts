import { details } from './en/details';
import { lab } from './en/lab';
import { sessions } from './en/sessions';
import { traffic } from './en/traffic';
import { window } from './en/window';

export const en = { ...window, ...details, ...sessions, ...traffic, ...lab } as const;
