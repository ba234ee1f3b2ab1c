// Characters that would change how their neighbours are drawn are shown by name instead: a text must not be able to
// disguise itself. Copying goes around this: what is copied are the bytes.

const HIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u0080-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/g;

/** The text with control, bidirectional and zero-width characters written as ⟦U+202E⟧. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (c) => `\u27e6U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}\u27e7`);
}
