/** Maximum size of the bodies that are kept, as characters of JavaScript. */
const KEPT_CHARACTERS = 8 * 1024 * 1024;

/** Bodies of recent events, which never change: the deliveries of an event to many webhooks read its body once. */
export class EventBodies {
  readonly #bodies = new Map<string, string>();
  #characters = 0;

  get(eventId: string): string | undefined {
    return this.#bodies.get(eventId);
  }

  add(eventId: string, body: string): void {
    if (this.#bodies.has(eventId) || body.length > KEPT_CHARACTERS) return;
    this.#bodies.set(eventId, body);
    this.#characters += body.length;
    // A map keeps the order in which its members were added.
    for (const [oldest, text] of this.#bodies) {
      if (this.#characters <= KEPT_CHARACTERS) return;
      this.#bodies.delete(oldest);
      this.#characters -= text.length;
    }
  }
}
