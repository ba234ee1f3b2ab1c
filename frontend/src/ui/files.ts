// Choosing files by the browser's own dialog, and catching those that are dropped.
import { useEffect, useState } from 'react';
import { isImage } from '../model/picture';
import { attachPictures, bringIn, sendsFiles } from '../state/actions';

/** Asks for files to import. In the window the program asks. */
export function chooseFiles(): void {
  if (!sendsFiles()) return void bringIn([]);
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.hidden = true;
  const done = () => input.remove();
  input.onchange = () => {
    void bringIn([...(input.files ?? [])]);
    done();
  };
  input.oncancel = done;
  document.body.append(input); // one that stands nowhere may be collected before a person has chosen
  input.click();
}

/** In the window a file of the desktop comes as an address: left alone, the web view would leave the page for it. */
const hasFiles = (e: DragEvent) => {
  const types = [...(e.dataTransfer?.types ?? [])];
  return types.includes('Files') || (!sendsFiles() && (types.length === 0 || types.includes('text/uri-list')));
};

/** Pictures go to the message that is being written, wherever they fall: there is nothing in one to import. */
function take(files: readonly File[]): void {
  const pictures = files.filter(isImage);
  const others = files.filter((f) => !isImage(f));
  if (pictures.length > 0) void attachPictures(pictures);
  if (others.length > 0) void bringIn(others);
}

/** Whether files are held over the window; those that are let go are imported. The window's own shell takes them itself. */
export function useDroppedFiles(): boolean {
  const [over, setOver] = useState(false);
  useEffect(() => {
    let depth = 0;
    const enter = (e: DragEvent) => {
      if (!hasFiles(e)) return;
      depth++;
      setOver(true);
    };
    // a busy web view may forget the types of what it showed to be files a moment ago
    const taken = (e: DragEvent) => depth > 0 || hasFiles(e);
    const leave = (e: DragEvent) => {
      if (taken(e) && --depth <= 0) setOver(false);
    };
    const hold = (e: DragEvent) => taken(e) && e.preventDefault();
    const drop = (e: DragEvent) => {
      const ours = taken(e);
      depth = 0;
      setOver(false);
      if (!ours) return;
      e.preventDefault();
      if (sendsFiles()) take([...(e.dataTransfer?.files ?? [])]);
    };
    const all = { dragenter: enter, dragleave: leave, dragover: hold, drop } as const;
    for (const [name, run] of Object.entries(all)) window.addEventListener(name, run as EventListener);
    return () => {
      for (const [name, run] of Object.entries(all)) window.removeEventListener(name, run as EventListener);
    };
  }, []);
  return over;
}
