const MAX_LENGTH = 100;
/** Control and format characters, except the two joiners that some scripts and emoji need. */
const INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}]/gu;

/** Removes the characters that the contract refuses in the names of people and tenants. */
export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}

/**
 * The display name of a person from an identity provider, limited in length and to characters that the contract allows.
 * The person cannot correct it there and then, so it is cleaned and the sign-in goes on.
 */
export function displayNameFrom(given: string | undefined): string | null {
  const name = withoutInvisible((given ?? '').trim().slice(0, MAX_LENGTH)).trim();
  return name !== '' && /^\P{Cs}*$/u.test(name) ? name : null;
}
