import { expect, it } from 'vitest';
import { ProblemError } from '../../../platform/problem.ts';
import { requireGoodPassword } from './password-policy.ts';

const names = ['ada.lovelace@example.com', 'Ada King Lovelace', null, undefined];

async function verdictOn(password: string): Promise<string> {
  try {
    await requireGoodPassword({ path: 'body.password', password, names });
    return 'good';
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    expect(error.code).toBe('VALIDATION_FAILED');
    expect(error.members.errors).toMatchObject([{ path: 'body.password' }]);
    return error.members.errors?.[0]?.message ?? '';
  }
}

it.each([
  ['is too short', 'elevenchars', 'at least 12 characters'],
  [
    'is too short in characters, though not in code units',
    '🔑🔑🔑🔑🔑🔑',
    'at least 12 characters',
  ],
  ['has more bytes than bcrypt reads (S07)', 'x'.repeat(73), 'at most 72 bytes'],
  ['has more bytes, though few characters (S07)', '🔑'.repeat(19), 'at most 72 bytes'],
  ['is common', 'unbelievable', 'most common'],
  ['is common in another letter case', 'Password1234', 'most common'],
  ['is the address of its owner', 'Ada.Lovelace@example.com', 'your e-mail address or name'],
  ['is the address before the @', 'ADA.LOVELACE', 'your e-mail address or name'],
  ['is the name of its owner', 'ada king lovelace', 'your e-mail address or name'],
])('a password that %s is refused', async (_why, password, words) => {
  expect(await verdictOn(password)).toContain(words);
});

it.each([
  ['of twelve lower-case letters', 'wqkzpvmxhfbd'],
  ['of words', 'correct horse battery staple'],
  ['of digits that are in no list', '804726351962'],
  ['of 72 bytes', 'ä'.repeat(36)],
  ['that holds the name among other words', 'ada king lovelace went home'],
])('a password %s is accepted', async (_what, password) => {
  expect(await verdictOn(password)).toBe('good');
});
