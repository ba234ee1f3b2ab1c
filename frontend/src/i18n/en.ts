import { details } from './en/details';
import { window } from './en/window';

export const en = { ...window, ...details } as const;
