import { details } from './en/details';
import { sessions } from './en/sessions';
import { window } from './en/window';

export const en = { ...window, ...details, ...sessions } as const;
