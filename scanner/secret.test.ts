import { expect, it } from 'vitest';
import { looksLikeSecret } from './secret.ts';

// Concatenated, so secret scanners report nothing in this file.
it.each([
  ['a PEM private key', `x\n-----BEGIN ${'PRIVATE'} KEY-----\nMIIE`],
  ['a PEM private key of one kind', `-----BEGIN EC ${'PRIVATE'} KEY-----`],
  ['an AWS access key id', `id=${'AKIA'}${'A1B2'.repeat(4)}`],
  ['a Google API key', `${'AIza'}${'abcde'.repeat(7)}`],
  ['a JSON web token', `Bearer ${'eyJ'}hbGciOi.${'eyJ'}zdWIiOi.c2ln`],
])('%s is recognized as a secret', (_what, text) => {
  expect(looksLikeSecret(text)).toBe(true);
});

it.each([
  ['a public key', '-----BEGIN PUBLIC KEY-----'],
  ['a resource name', 'projects/p/locations/l/keyRings/r/cryptoKeys/k'],
  ['a member', 'serviceAccount:a@p.iam.gserviceaccount.com'],
  ['nothing', ''],
])('%s is not recognized as a secret', (_what, text) => {
  expect(looksLikeSecret(text)).toBe(false);
});
