/** What happened to a session: it was opened or raised, or it has ended. Renewals are not reported. */
export type SessionEvent = 'signed-in' | 'signed-out';

/** Those who want to know what happens to a session. */
export class Listeners {
  readonly #listeners = new Set<(event: SessionEvent) => void>();

  /** @returns what ends the subscription. */
  readonly subscribe = (listener: (event: SessionEvent) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  tell(event: SessionEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
