// Imports and exports: files on their way in and out, and what became of them.
import type { Backend } from '../api/service';
import type { ExportOrder, Job } from '../api/types.gen';
import { ended } from '../model/jobs';
import { get, set } from './store';

/** Exports that this page asked for: their files are written by its browser. */
const mine = new Set<number>();
const stops = new Map<string, AbortController>();

/** Takes the list of jobs. What this page ordered is fetched once it is there. */
export async function pullJobs(backend: Backend): Promise<void> {
  const jobs = await backend.service.jobs();
  set({ jobs });
  for (const job of jobs) {
    if (!ended(job) || !mine.delete(job.id) || job.download === '') continue;
    backend.download(job.download);
    await backend.service.dismissJob(job.id);
  }
}

export async function order(backend: Backend, o: ExportOrder): Promise<Job> {
  const job = await backend.service.exportSession(o);
  if (job.id > 0) mine.add(job.id);
  return job;
}

/** Sends files to the program and lets it import them; in the window the program asks for them itself. */
export async function importFiles(backend: Backend, files: readonly File[]): Promise<void> {
  if (!backend.send) {
    await backend.service.chooseImport();
    return;
  }
  if (files.length === 0) return;
  const id = crypto.getRandomValues(new Uint32Array(4)).join('-');
  const stop = new AbortController();
  stops.set(id, stop);
  const total = files.reduce((sum, f) => sum + f.size, 0);
  set({ uploads: [...get().uploads, { id, name: files[0].name, sent: 0, total }] });
  let before = 0;
  try {
    for (const file of files) {
      const start = before;
      await backend.send(id, file, (bytes) => told(id, start + bytes), stop.signal);
      before += file.size;
    }
    await backend.service.importUpload(id);
  } catch (e) {
    await backend.service.dropUpload(id);
    if (!stop.signal.aborted) throw e;
  } finally {
    stops.delete(id);
    set({ uploads: get().uploads.filter((u) => u.id !== id) });
  }
}

function told(id: string, sent: number): void {
  set({ uploads: get().uploads.map((u) => (u.id === id ? { ...u, sent } : u)) });
}

export function stopUpload(id: string): void {
  stops.get(id)?.abort();
}
