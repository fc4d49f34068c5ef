import { createStore } from './lib/store.ts';

export type Theme = 'system' | 'light' | 'dark';

const KEY = 'cspm.theme';

export const theme = createStore<Theme>(known(document.documentElement.dataset['theme']));

const darkSystem = matchMedia('(prefers-color-scheme: dark)');
const systemIsDark = createStore(darkSystem.matches);
darkSystem.addEventListener('change', ({ matches }) => systemIsDark.set(matches));

/** Another tab has chosen a theme. No key: all of the storage was cleared. */
addEventListener('storage', ({ key, newValue }) => {
  if (key === KEY || key === null) apply(known(newValue));
});

/** Applies a theme and remembers it. `public/theme.js` applies it on the next load before the first paint. */
export function setTheme(next: Theme): void {
  try {
    if (next === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, next);
  } catch {
    // Storage is blocked: the choice lasts until the page is closed.
  }
  apply(next);
}

/** Whether the page is dark. Follows the choice and the system. */
export function useIsDark(): boolean {
  const chosen = theme.use();
  const isSystemDark = systemIsDark.use();
  return chosen === 'system' ? isSystemDark : chosen === 'dark';
}

function apply(next: Theme): void {
  if (next === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = next;
  theme.set(next);
}

function known(value: string | null | undefined): Theme {
  return value === 'light' || value === 'dark' ? value : 'system';
}
