/** How many owners of secrets are named for each kind. */
const NAMED = 50;

/** The secrets of one kind after a re-encryption. */
export interface Resealed {
  readonly anew: number;
  readonly all: number;
  /** How many use the current secret now. */
  readonly current: number;
  /** How many are encrypted with a secret that is not configured. */
  readonly lost: number;
  /** Whose secrets those are. */
  readonly owners: Owners;
  /** The tenants whose secrets could not be read. Absent: none of this kind belongs to a tenant. */
  readonly unavailable?: Owners;
}

/** A list of owners of secrets, or of tenants. Only the first ones are kept by name: there may be one for each account. */
export class Owners {
  readonly #named: string[] = [];
  #unnamed = 0;

  add(owner: string): void {
    if (this.#named.length < NAMED) this.#named.push(owner);
    else this.#unnamed += 1;
  }

  get isEmpty(): boolean {
    return this.#named.length === 0;
  }

  toString(): string {
    const named = this.#named.join(', ');
    return this.#unnamed === 0 ? named : `${named} and ${this.#unnamed} more`;
  }
}
