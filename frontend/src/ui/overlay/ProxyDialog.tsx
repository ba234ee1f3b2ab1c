import { Copy } from 'lucide-react';
import { useState } from 'react';
import { copy, show, startProxy, stopProxy } from '../../state/actions';
import { get, useApp } from '../../state/store';
import { Dialog } from '../Dialog';
import { useWords } from '../words';

const UPSTREAMS = ['https://api.openai.com/v1', 'https://api.anthropic.com', 'http://127.0.0.1:11434/v1'];

function Hint({ line }: { line: string }) {
  const { t } = useWords();
  return (
    <div className="hint">
      <code>{line}</code>
      <button type="button" className="btn square small" title={t('copy')} aria-label={t('copy.of', { name: line })} onClick={() => void copy(line, t('copied.line'))}><Copy className="icon" /></button>
    </div>
  );
}

function Running() {
  const { t } = useWords();
  const p = useApp((s) => s.snapshot?.state.proxy);
  if (!p) return null;
  return (
    <div className="content padded">
      <p className="t2">{t('proxy.running.text', { upstream: p.upstream })}</p>
      <Hint line={p.address} />
      <p className="t2">{t('proxy.agents')}</p>
      <Hint line={`export OPENAI_BASE_URL=${p.address}/v1`} />
      <Hint line={`export ANTHROPIC_BASE_URL=${p.address}`} />
      <p className="t3">{t('proxy.keys')}</p>
    </div>
  );
}

/** Starts a recording proxy before a provider, or says how to use the one that runs. */
export function ProxyDialog() {
  const { t } = useWords();
  const running = useApp((s) => s.snapshot?.state.proxy.running ?? false);
  const stopping = useApp((s) => s.snapshot?.state.proxy.stopping ?? false);
  const busy = useApp((s) => s.busy !== '');
  const [upstream, setUpstream] = useState('');
  const [name, setName] = useState('');
  if (running) {
    return (
      <Dialog
        title={t('proxy.title')}
        width={560}
        footer={
          <>
            <button type="button" className="btn line" disabled={stopping} onClick={() => { show(null); void stopProxy(); }}>{t('proxy.stop')}</button>
            <button type="button" className="btn solid" data-autofocus onClick={() => show(null)}>{t('close')}</button>
          </>
        }
      >
        <Running />
      </Dialog>
    );
  }
  const start = () => {
    if (upstream.trim() === '' || busy) return;
    void startProxy({ upstream: upstream.trim(), name: name.trim(), listen: '' }).then((ok) => ok && !get().overlay && show({ kind: 'proxy' }));
  };
  return (
    <Dialog
      title={t('proxy.title')}
      width={560}
      footer={
        <>
          <button type="button" className="btn" onClick={() => show(null)}>{t('cancel')}</button>
          <button type="button" className="btn solid" data-testid="proxy-start" disabled={busy || upstream.trim() === ''} onClick={start}>{t('proxy.start')}</button>
        </>
      }
    >
      <form className="content padded" onSubmit={(e) => { e.preventDefault(); start(); }}>
        <p className="t2">{t('proxy.what')}</p>
        <div className="form-row">
          <label htmlFor="proxy-upstream">{t('proxy.upstream')}</label>
          <input id="proxy-upstream" data-autofocus className="field mono" value={upstream} spellCheck={false} list="proxy-upstreams" placeholder={UPSTREAMS[0]} onChange={(e) => setUpstream(e.target.value)} />
          <datalist id="proxy-upstreams">{UPSTREAMS.map((u) => <option key={u} value={u} />)}</datalist>
          <small>{t('proxy.upstream.why')}</small>
        </div>
        <div className="form-row">
          <label htmlFor="proxy-name">{t('session.name')}</label>
          <input id="proxy-name" className="field" value={name} maxLength={200} onChange={(e) => setName(e.target.value)} />
          <small>{t('proxy.name.why')}</small>
        </div>
        <button type="submit" className="reader-only" tabIndex={-1}>{t('proxy.start')}</button>
      </form>
    </Dialog>
  );
}
