import { v7 } from 'uuid';

/** A new UUID version 7 (RFC 9562 §5.7): unique, and in the order of time. */
export function newId(): string {
  return v7();
}

/** The tenant of what happens before any tenant is known, such as a refused sign-in. No tenant ever has this id. */
export const NO_TENANT = '00000000-0000-0000-0000-000000000000';
