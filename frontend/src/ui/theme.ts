import { useEffect, useSyncExternalStore } from 'react';
import { useApp } from '../state/store';
import { useWords } from './words';

const LIGHT = '(prefers-color-scheme: light)';

function useSystemTheme(): 'dark' | 'light' {
  return useSyncExternalStore(
    (changed) => {
      const m = window.matchMedia(LIGHT);
      m.addEventListener('change', changed);
      return () => m.removeEventListener('change', changed);
    },
    () => (window.matchMedia(LIGHT).matches ? 'light' : 'dark'),
  );
}

/** The theme that is drawn: the chosen one, or the system's. */
export function useResolvedTheme(): 'dark' | 'light' {
  const chosen = useApp((s) => s.prefs.theme);
  const system = useSystemTheme();
  return chosen === 'system' ? system : chosen;
}

/** Puts theme and language on the document, where styles and readers look for them. */
export function useDocument(): void {
  const theme = useResolvedTheme();
  const { lang } = useWords();
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  useEffect(() => {
    document.documentElement.lang = lang === 'zh' ? 'zh-CN' : 'en';
  }, [lang]);
}
