import { expect, it } from 'vitest';
import { embedsSecret } from './embedded-secret.ts';

const NAMES = [
  ...[
    'password',
    'DB_PASSWORD',
    'dbPassword',
    'PGPASSWORD',
    'MYSQL_PASSWD',
    'SECRET',
    'CLIENT_SECRET',
  ],
  ...['GITHUB_TOKEN', 'accessToken', 'API_KEY', 'APIKEY', 'apiKey', 'stripe-api-key'],
  ...['PRIVATE_KEY', 'privatekey', 'tls-private-key'],
];

it.each(NAMES)('a literal value under the name %s is a secret', (name) => {
  for (const value of ['hunter2', '0', ' x ', 'projects/p', 'see projects/p/secrets/s', 1234]) {
    expect(embedsSecret(name, value)).toBe(true);
  }
});

it.each([
  'projects/shop/secrets/db',
  'projects/1234/secrets/db_password/versions/latest',
  'projects/shop/secrets/db/versions/7',
  'projects/shop/locations/europe-west1/secrets/db/versions/7',
  '//secretmanager.googleapis.com/projects/shop/secrets/db',
  'https://secretmanager.googleapis.com/v1/projects/shop/secrets/db/versions/latest:access',
  'secret:projects/shop/secrets/db',
  'gcpsecretmanager://projects/shop/secrets/db',
  'sm://db',
  'sm://shop/db/latest',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how Spring writes it
  '${sm://projects/shop/secrets/db}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how Spring writes it
  '${sm@db}',
  ' projects/shop/secrets/db ',
])('the reference %s is not a secret', (value) => {
  for (const name of NAMES) expect(embedsSecret(name, value)).toBe(false);
});

it('an empty value, or one that is not a string, is not a secret', () => {
  for (const value of [
    '',
    ' ',
    null,
    undefined,
    true,
    {},
    { secretKeyRef: { name: 'db' } },
    ['x'],
  ]) {
    expect(embedsSecret('PASSWORD', value)).toBe(false);
  }
});

// Concatenated, so secret scanners report nothing in this file.
const RECOGNISED = [
  `-----BEGIN RSA ${'PRIVATE'} KEY-----\\nMIIE`,
  `${'AKIA'}${'A1B2'.repeat(4)}`,
  `${'AIza'}${'abcde'.repeat(7)}`,
  `${'eyJ'}hbGciOi.${'eyJ'}zdWIiOi.c2ln`,
];

it.each(RECOGNISED)('the value %s is a secret under any name', (value) => {
  expect(embedsSecret('SETTINGS', value)).toBe(true);
  expect(embedsSecret('', `export SETTINGS=${value}`)).toBe(true);
});

it.each([
  ['LOG_LEVEL', 'debug'],
  ['PASS', 'hunter2'],
  ['KEY_RING', 'projects/p/locations/l/keyRings/r'],
  ['ssh-keys', 'ada:ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA ada'],
  ['block-project-ssh-keys', 'true'],
  ['MONKEY', '1'],
])('the variable %s with the value %s is not a secret', (name, value) => {
  expect(embedsSecret(name, value)).toBe(false);
});
