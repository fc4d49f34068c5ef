import { createStore } from './lib/store.ts';

export type Theme = 'system' | 'light' | 'dark';

const KEY = 'cspm.theme';

export const theme = createStore<Theme>(stored());

/** Applies a theme and remembers it. `public/theme.js` applies it on the next load before the first paint. */
export function setTheme(next: Theme): void {
  if (next === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = next;
  try {
    if (next === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, next);
  } catch {
    // Storage is blocked: the choice lasts until the page is closed.
  }
  theme.set(next);
}

/** Whether the page is dark now. */
export function isDark(): boolean {
  const chosen = theme.get();
  return chosen === 'system'
    ? matchMedia('(prefers-color-scheme: dark)').matches
    : chosen === 'dark';
}

function stored(): Theme {
  const set = document.documentElement.dataset['theme'];
  return set === 'light' || set === 'dark' ? set : 'system';
}
