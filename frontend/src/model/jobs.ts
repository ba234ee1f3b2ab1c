// Imports and exports as the window shows them.
import type { Job } from '../api/types.gen';

export function ended(job: Job): boolean {
  return job.state !== 'running';
}

/** Per cent of a job; null when nobody knows how much there is. */
export function progress(done: number, total: number): number | null {
  if (total <= 0) return null;
  return Math.max(0, Math.min(100, Math.floor((done / total) * 100)));
}

/** Jobs that have something to say: what runs, what failed, what was brought in. A fetched export says nothing more. */
export function shown(jobs: readonly Job[]): Job[] {
  return jobs.filter((j) => !(j.kind === 'export' && j.state === 'done' && j.path === '') && !(j.kind === 'export' && j.state === 'cancelled'));
}
