import { v7 } from 'uuid';

/** A new UUID version 7 (RFC 9562 §5.7): unique and ordered by time. */
export function newId(): string {
  return v7();
}

/** The length of an id in bytes. */
export const ID_BYTES = 16;

/** Writes a new id as bytes, in one order with those of `newId`. */
export function writeNewId(bytes: Uint8Array, at: number): void {
  v7(undefined, bytes, at);
}

/** The tenant of events before any tenant is known, such as a refused sign-in. No tenant has this id. */
export const NO_TENANT = '00000000-0000-0000-0000-000000000000';

/**
 * Lower and higher than any id. A page without a cursor starts after one of them, so its statement always has the same
 * form: Postgres' generic plans cannot use an index for `$1 IS NULL OR id < $1`.
 */
export const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000';
export const AFTER_ALL_IDS = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
