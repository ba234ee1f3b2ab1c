import { CircleHelp, Contrast } from 'lucide-react';
import { visible } from '../model/visible';
import type { Snapshot } from '../api/types.gen';
import { setPrefs, show } from '../state/actions';
import { useApp } from '../state/store';
import { BreakpointMenu } from './BreakpointMenu';
import { MoreMenu } from './MoreMenu';
import { RunControls, selectSession } from './RunControls';
import { SessionMenu } from './SessionMenu';
import { useResolvedTheme } from './theme';
import { useWords } from './words';

function Logo() {
  return (
    <svg className="logo" viewBox="0 0 20 20" fill="none" aria-hidden="true">
      <path d="M3 5h14M3 10h9M3 15h5" stroke="var(--t1)" strokeWidth="2" strokeLinecap="round" />
      <rect x="14.5" y="12" width="4" height="6" rx="1" stroke="var(--accent)" strokeWidth="1.5" />
    </svg>
  );
}

function Provider({ snapshot }: { snapshot: Snapshot | null }) {
  const { t, tell } = useWords();
  const p = snapshot?.state.provider;
  if (!p || p.model === '') {
    return <span className="conn"><i className="dot hollow" /><span className="cut">{t('provider.none')}</span></span>;
  }
  const failed = p.status === 'error';
  const title = failed ? tell(p.error) : visible(`${p.model} · ${p.host}${p.profile ? ` · ${p.profile}` : ''}`);
  return (
    <span className={failed ? 'conn failed' : 'conn'} title={title}>
      <i className={failed ? 'dot bad' : p.status === 'ok' ? 'dot' : 'dot hollow'} />
      <b>{visible(p.model)}</b>
      {p.scripted ? <span className="tag dashed detail">{t('provider.scripted')}</span> : <span className="detail">{p.host}</span>}
      {failed && <span className="reader-only">{t('provider.failed')}</span>}
    </span>
  );
}

function Servers({ snapshot }: { snapshot: Snapshot | null }) {
  const { t, say, tell } = useWords();
  const state = snapshot?.state;
  if (!state || state.servers.length === 0) {
    return <span className="conn"><i className="dot hollow" /><span className="cut">{t('mcp.none')}</span></span>;
  }
  const down = state.servers.filter((s) => s.status === 'failed' || s.status === 'exited');
  const starting = state.servers.some((s) => s.status === 'starting');
  const title = state.servers.map((s) => `${visible(s.name)}: ${say(`server.${s.status}`, s.status)}${s.error ? `\n${tell(s.error)}` : ''}`).join('\n');
  return (
    <span className={down.length > 0 ? 'conn failed' : 'conn'} title={title}>
      <i className={down.length > 0 ? 'dot bad' : starting ? 'dot hollow' : 'dot'} />
      <span>MCP</span>
      <b className="detail">
        {down.length > 0
          ? t('mcp.down', { n: down.length, of: state.servers.length })
          : t('mcp.counts', { servers: t('mcp.servers', { n: state.servers.length }), tools: t('mcp.tools', { n: state.tools }) })}
      </b>
    </span>
  );
}

function ZimoOS({ snapshot }: { snapshot: Snapshot | null }) {
  const { t } = useWords();
  const kind = snapshot?.state.zimoos ?? 'none';
  if (kind === 'none' || kind === '') {
    return <span className="conn"><i className="dot hollow" /><span className="cut">{t('zimoos.none')}</span></span>;
  }
  return (
    <span className="conn" title={t(kind === 'simulator' ? 'zimoos.simulator.why' : 'zimoos.real.why')}>
      <i className="dot" />
      <span>ZimoOS</span>
      {kind === 'simulator' ? <span className="tag dashed">{t('zimoos.simulator')}</span> : <b>{kind}</b>}
    </span>
  );
}

export function Toolbar() {
  const { t, lang } = useWords();
  const snapshot = useApp((s) => s.snapshot);
  const theme = useResolvedTheme();
  const foreign = useApp((s) => (selectSession(s)?.foreign ?? '') !== '');
  return (
    <header className="toolbar" aria-label={t('toolbar')} data-region="toolbar">
      <Logo />
      <h1 className="reader-only">ZimoScope</h1>
      <SessionMenu />
      <span className="rule" />
      <Provider snapshot={snapshot} />
      {!foreign && (
        <>
          <span className="rule" />
          <Servers snapshot={snapshot} />
          <span className="rule" />
          <ZimoOS snapshot={snapshot} />
        </>
      )}
      <span className="grow" />
      <RunControls />
      <BreakpointMenu />
      <span className="rule" />
      <button type="button" className="btn square" data-testid="language" title={t('language.switch')} aria-label={t('language.switch')} onClick={() => setPrefs({ lang: lang === 'en' ? 'zh' : 'en' })}>
        {lang === 'en' ? '中' : 'EN'}
      </button>
      <button type="button" className="btn square" data-testid="theme" title={t('theme.switch')} aria-label={t('theme.switch')} onClick={() => setPrefs({ theme: theme === 'dark' ? 'light' : 'dark' })}>
        <Contrast className="icon half" />
      </button>
      <MoreMenu />
      <button type="button" className="btn square" data-testid="help" title={t('help.title')} aria-label={t('help.title')} onClick={() => show({ kind: 'help' })}>
        <CircleHelp className="icon" />
      </button>
    </header>
  );
}
