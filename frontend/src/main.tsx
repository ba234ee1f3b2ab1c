import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import type { Backend } from './api/service';
import { start } from './state/actions';
import { connect } from './transport';
import { App } from './ui/App';
import './styles/index.css';

/** The program, or in development the fixture when the address asks for it. */
async function backend(): Promise<Backend> {
  if (import.meta.env.DEV && new URLSearchParams(window.location.search).has('fixture')) {
    return (await import('./dev/fixture')).fixture(new URLSearchParams(window.location.search).get('fixture') ?? '');
  }
  return connect();
}

// A new address with a new token, opened in the same tab, changes only the fragment.
window.addEventListener('hashchange', () => {
  if (window.location.hash.includes('token=')) window.location.reload();
});

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
  void backend().then(start);
}
