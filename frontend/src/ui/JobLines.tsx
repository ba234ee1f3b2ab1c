import { Download, FileInput, Radio, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Job } from '../api/types.gen';
import { ended, progress, shown } from '../model/jobs';
import { visible } from '../model/visible';
import { cancelJob, cancelUpload, copy, dismissJob, openSession, show, stopProxy } from '../state/actions';
import { useApp, type Upload } from '../state/store';
import { Told } from './parts';
import { useWords, type Words } from './words';

/** Milliseconds for which an import that went well is told of. */
const SETTLED_MS = 8000;

function Bar({ done, total, label }: { done: number; total: number; label: string }) {
  const share = progress(done, total);
  return (
    <span className={share === null ? 'progress open' : 'progress'} role="progressbar" aria-label={label} aria-valuemin={0} aria-valuemax={100} aria-valuenow={share ?? undefined}>
      <i style={{ width: `${share ?? 100}%` }} />
    </span>
  );
}

function UploadLine({ upload }: { upload: Upload }) {
  const { t, f } = useWords();
  const words = t('job.sending', { name: upload.name });
  return (
    <div className="banner plain" role="status" data-testid="upload">
      <FileInput className="icon" />
      <span className="cut">{words}</span>
      <Bar done={upload.sent} total={upload.total} label={words} />
      <span className="t3 nowrap">{t('job.of', { done: f.size(upload.sent), total: f.size(upload.total) })}</span>
      <span className="grow" />
      <button type="button" className="btn small" onClick={() => cancelUpload(upload.id)}>{t('cancel')}</button>
    </div>
  );
}

function said(job: Job, { t, tell }: Words): string {
  const name = job.name;
  const error = job.error.startsWith(`${name}: `) ? job.error.slice(name.length + 2) : job.error;
  const why = tell(error);
  if (job.kind === 'export') {
    if (job.state === 'running') return t('job.exporting', { name });
    if (job.state === 'failed') return t('job.export.failed', { name, error: why });
    return t('job.exported', { name, path: job.path });
  }
  if (job.state === 'running') return t('job.importing', { name });
  if (job.state === 'failed') return t('job.import.failed', { name, error: why });
  const requests = t('requests', { n: job.requests });
  return t(job.state === 'cancelled' ? 'job.import.stopped' : 'job.imported', { name, requests });
}

function JobLine({ job }: { job: Job }) {
  const w = useWords();
  const { t, f } = w;
  const [open, setOpen] = useState(false);
  const words = visible(said(job, w));
  const current = useApp((s) => s.snapshot?.current ?? '');
  const running = !ended(job);
  const settled = job.kind === 'import' && job.state === 'done' && job.opened && job.notes.length === 0;
  useEffect(() => {
    if (!settled) return;
    const timer = setTimeout(() => void dismissJob(job.id), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [settled, job.id]);
  return (
    <div className={job.state === 'failed' ? 'banner' : 'banner plain'} role={job.state === 'failed' ? 'alert' : 'status'} data-testid={`job-${job.id}`} data-state={job.state}>
      {job.kind === 'export' ? <Download className="icon" /> : <FileInput className="icon" />}
      <div className="grow">
        <span className="job-words">
          <span className={running ? 'cut' : ''}>{words}</span>
          {running && <Bar done={job.bytes} total={job.total} label={words} />}
          {running && <span className="t3 nowrap">{job.total > 0 ? t('job.of', { done: f.size(job.bytes), total: f.size(job.total) }) : f.size(job.bytes)}{job.requests > 0 ? ` · ${t('requests', { n: job.requests })}` : ''}</span>}
          {!running && job.notes.length > 0 && <button type="button" className="link nowrap" aria-expanded={open} onClick={() => setOpen(!open)}>{t('job.notes', { n: job.notes.length })}</button>}
        </span>
        {open && <ul className="job-notes">{job.notes.map((n) => <li key={n}><Told text={n} /></li>)}</ul>}
      </div>
      {running && <button type="button" className="btn small" data-testid={`job-${job.id}-cancel`} onClick={() => void cancelJob(job.id)}>{t('cancel')}</button>}
      {!running && job.kind === 'import' && job.session !== '' && job.session !== current && <button type="button" className="btn small line" onClick={() => void openSession(job.session)}>{t('job.open')}</button>}
      {!running && <button type="button" className="btn small" onClick={() => void dismissJob(job.id)}>{t('dismiss')}</button>}
    </div>
  );
}

/** The recording proxy: where it listens, as long as it does; why it ended, if it did by itself. */
function ProxyLine() {
  const { t, tell } = useWords();
  const p = useApp((s) => s.snapshot?.state.proxy);
  const [hidden, setHidden] = useState('');
  if (!p || (!p.running && (p.error === '' || p.error === hidden))) return null;
  if (!p.running) {
    return (
      <div className="banner" role="alert">
        <Radio className="icon" />
        <div className="grow"><Told text={p.error} /></div>
        <button type="button" className="btn small" onClick={() => setHidden(p.error)}>{t('dismiss')}</button>
      </div>
    );
  }
  return (
    <div className="banner plain recording" role="status" data-testid="recording">
      <Radio className="icon" />
      <span className="nowrap">{t(p.stopping ? 'proxy.stopping' : 'proxy.recording')}</span>
      <button type="button" className="link mono" title={t('proxy.copy')} data-testid="proxy-address" onClick={() => void copy(p.address, t('copied.address'))}>{p.address}</button>
      <span className="t3 cut">{t('proxy.to', { upstream: p.upstream })}</span>
      {p.active > 0 && <span className="acc nowrap">{t('proxy.active', { n: p.active })}</span>}
      {p.error !== '' && <span className="bad cut" title={tell(p.error)}>{tell(p.error)}</span>}
      <span className="grow" />
      <button type="button" className="btn small" onClick={() => show({ kind: 'proxy' })}>{t('proxy.hints')}</button>
      <button type="button" className="btn small line" data-testid="proxy-stop" disabled={p.stopping} onClick={() => void stopProxy()}><X className="icon" />{t('proxy.stop')}</button>
    </div>
  );
}

/** What is on its way in or out, across the work area. */
export function JobLines() {
  const jobs = useApp((s) => s.jobs);
  const uploads = useApp((s) => s.uploads);
  return (
    <>
      <ProxyLine />
      {uploads.map((u) => <UploadLine key={u.id} upload={u} />)}
      {shown(jobs).map((j) => <JobLine key={j.id} job={j} />)}
    </>
  );
}
