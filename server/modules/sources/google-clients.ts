import {
  GoogleCloud,
  type GoogleCloudOptions,
  type GoogleEndpoints,
  Pacer,
} from '@cspm/google-cloud';
import type { KeyRing } from '../../platform/crypto/app-secrets.ts';
import { openCredential, type SealedFor } from './credential.ts';
import { putOffClock } from './put-off.ts';

/** How the service reaches Google. */
export interface GoogleSettings {
  readonly endpoints: GoogleEndpoints;
  /** The variables that name the Application Default Credentials of the service. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface StoredCredential extends SealedFor {
  readonly sealed: Uint8Array | null;
}

/** Quotas that are counted at the same time. Projects beyond them rely on the refusals of Google. */
const PACERS = 1_000;
/** A larger page is asked for again with fewer assets, so that several pulls fit into the memory of a process. */
const MAX_PAGE_BYTES = 8 * 1024 * 1024;

/** The client of Google Cloud for stored credentials. */
export class GoogleClients {
  readonly #settings: GoogleSettings;
  readonly #keys: KeyRing;
  readonly #pacers = new Map<string, Pacer>();

  constructor(settings: GoogleSettings, keys: KeyRing) {
    this.#settings = settings;
    this.#keys = keys;
  }

  /**
   * For a few requests that somebody waits for. The quota is left to Google.
   * @throws {GoogleCloudError} when the key cannot be decrypted
   */
  open(stored: StoredCredential): GoogleCloud {
    return new GoogleCloud(this.#optionsFor(stored));
  }

  /**
   * For a pull. It paces itself to the quota, and throws `PutOff` instead of waiting for long.
   * @throws {GoogleCloudError} when the key cannot be decrypted
   */
  openForPull(stored: StoredCredential): GoogleCloud {
    return new GoogleCloud({
      ...this.#optionsFor(stored),
      pacer: this.#pacerOf(stored),
      clock: putOffClock({ isStall: true }),
    });
  }

  #optionsFor(stored: StoredCredential): GoogleCloudOptions {
    const { endpoints, environment } = this.#settings;
    const credential = openCredential(this.#keys, stored, stored.sealed, environment);
    return { credential, endpoints, maxPageBytes: MAX_PAGE_BYTES };
  }

  /**
   * Requests of a service account are charged to its project, which may serve several sources. Other tenants are counted
   * apart: a key file can name any project, and must not use up the requests of its owner.
   */
  #pacerOf({ tenantId, principal }: StoredCredential): Pacer {
    const charged = `${tenantId} ${principal.replace(/^[^@]*@/, '')}`;
    const pacer =
      this.#pacers.get(charged) ?? new Pacer(undefined, putOffClock({ isStall: false }));
    // The one that was used last is dropped last.
    this.#pacers.delete(charged);
    this.#pacers.set(charged, pacer);
    for (const oldest of this.#pacers.keys()) {
      if (this.#pacers.size <= PACERS) break;
      this.#pacers.delete(oldest);
    }
    return pacer;
  }
}
