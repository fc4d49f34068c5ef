/** In the storage of the tab, like the page to open after a sign-in. */
const KEY = 'cspm-sign-in';
const BYTES = 16;

/** A random value for a sign-in at an identity provider. The server returns it to `/auth/callback`. */
export function newSignInState(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Keeps the value of the sign-in that the person starts on this page. */
export function keepSignInState(state: string): void {
  sessionStorage.setItem(KEY, state);
}

/** Whether the sign-in with this value was the last that the person started in this tab. True once. */
export function takeSignInState(state: string | undefined): boolean {
  const kept = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return kept !== null && kept === state;
}
