import { v7 } from 'uuid';

/** A new UUID version 7 (RFC 9562 §5.7): unique, and in the order of time. */
export function newId(): string {
  return v7();
}

/** The tenant of what happens before any tenant is known, such as a refused sign-in. No tenant ever has this id. */
export const NO_TENANT = '00000000-0000-0000-0000-000000000000';

/**
 * Less and greater than any id. A page begins after one of them where no cursor says otherwise, so that its statement has
 * one form: `$1 IS NULL OR id < $1` cannot be looked up in an index once Postgres plans for all values alike.
 */
export const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000';
export const AFTER_ALL_IDS = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
