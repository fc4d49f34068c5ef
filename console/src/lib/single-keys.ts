import { createStore } from './store.ts';

const KEY = 'cspm.single-keys';

/** Whether single letters and signs are shortcuts in this browser. Voice input and slips can press them unasked. */
export const singleKeys = createStore(stored());

/** Remembers the choice in this browser. */
export function setSingleKeys(areOn: boolean): void {
  try {
    if (areOn) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, 'off');
  } catch {
    // Storage is blocked: the choice lasts until the page is closed.
  }
  singleKeys.set(areOn);
}

function stored(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off';
  } catch {
    return true;
  }
}
