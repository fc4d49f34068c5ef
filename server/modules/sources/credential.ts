import {
  GoogleCloudError,
  type GoogleCredential,
  parseParent,
  parseServiceAccountEmail,
  parseServiceAccountKey,
} from '@cspm/google-cloud';
import type { KeyRing } from '../../platform/crypto/app-secrets.ts';
import { isSealedUnderCurrent, seal, unseal } from '../../platform/crypto/seal.ts';
import { ProblemError } from '../../platform/problem.ts';

/** A credential as a tenant sends it. */
export type GivenCredential =
  | { readonly type: 'service_account_key'; readonly key: unknown }
  | { readonly type: 'impersonation'; readonly serviceAccount: string };

/** What is used of it. */
export interface Credential {
  readonly credentialType: GivenCredential['type'];
  /** The e-mail address of the service account. */
  readonly principal: string;
  /** Null: the account is impersonated. */
  readonly privateKey: string | null;
}

/**
 * Reduces a credential to the account and its key. Everything else in a key file is dropped.
 * @param prefix of the accounts that may be impersonated for the tenant
 * @throws {ProblemError} SOURCE_REFUSED
 */
export function parseCredential(given: GivenCredential, prefix: string): Credential {
  if (given.type === 'service_account_key') {
    const { clientEmail, privateKey } = accepted('credential.key', () =>
      parseServiceAccountKey(given.key),
    );
    return { credentialType: given.type, principal: clientEmail, privateKey };
  }
  const principal = accepted('credential.serviceAccount', () =>
    parseServiceAccountEmail(given.serviceAccount),
  );
  // Otherwise a tenant could name an account that has let the service impersonate it for another tenant.
  if (!principal.startsWith(prefix) || !/^[a-z0-9-]+@[^@]+\.iam\./.test(principal)) {
    throw refused(
      'credential.serviceAccount',
      `The name of the service account must begin with ${prefix}, so that no other tenant can use it.`,
      `Create it: gcloud iam service-accounts create ${prefix} --project <project>`,
    );
  }
  return { credentialType: given.type, principal, privateKey: null };
}

/** @throws {ProblemError} SOURCE_REFUSED */
export function parseSourceParent(parent: string): string {
  return accepted('parent', () => parseParent(parent));
}

function accepted<T>(member: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof GoogleCloudError)) throw error;
    throw refused(member, error.message, error.remedy);
  }
}

function refused(member: string, message: string, remedy: string): ProblemError {
  const detail = `${message} ${remedy}`;
  return new ProblemError('SOURCE_REFUSED', detail, {
    members: { errors: [{ path: `body.${member}`, message: detail }] },
  });
}

/** Where a sealed key is stored. It cannot be opened for another source or account. */
export interface SealedFor {
  readonly tenantId: string;
  readonly projectId: string;
  readonly principal: string;
}

const contextOf = ({ tenantId, projectId, principal }: SealedFor) =>
  `source ${tenantId} ${projectId} ${principal}`;

export function sealKey(keys: KeyRing, of: SealedFor, privateKey: string): Buffer {
  return seal(keys, contextOf(of), privateKey);
}

/**
 * Re-encrypts a private key with the current application secret.
 * @returns `sealed` itself when it already uses the current secret; null when its secret is no longer configured.
 */
export function resealedKey(keys: KeyRing, of: SealedFor, sealed: Buffer): Buffer | null {
  if (isSealedUnderCurrent(keys, sealed)) return sealed;
  const opened = unseal(keys, contextOf(of), sealed);
  return opened === null ? null : sealKey(keys, of, opened);
}

/**
 * The credential of a stored source.
 * @param environment names the Application Default Credentials of the service
 * @throws {GoogleCloudError} `credential_refused` when the key cannot be decrypted
 */
export function openCredential(
  keys: KeyRing,
  of: SealedFor,
  sealed: Uint8Array | null,
  environment: Readonly<Record<string, string | undefined>>,
): GoogleCredential {
  const { principal } = of;
  if (sealed === null) return { type: 'impersonation', serviceAccount: principal, environment };
  const privateKey = unseal(keys, contextOf(of), sealed);
  if (privateKey === null) {
    throw new GoogleCloudError(
      'credential_refused',
      'The stored key cannot be decrypted, because the operator has removed the secret that it was encrypted with.',
      'Set the source again.',
    );
  }
  return { type: 'service_account_key', key: { clientEmail: principal, privateKey } };
}
