import { describe, expect, it } from 'vitest';
import { cite } from './evidence.ts';

describe('a cited value', () => {
  it('a cited value is shown unchanged', () => {
    for (const value of ['ON', 7, true, null, ['a', 1]])
      expect(cite('p', value).value).toEqual(value);
    expect(cite('p', undefined)).toEqual({ path: 'p', value: null });
  });

  it('a cited value has a limited length', () => {
    expect(cite('p', 'x'.repeat(1e6)).value).toHaveLength(300);
    expect(
      cite(
        'p',
        Array.from({ length: 1000 }, (_, at) => at),
      ).value,
    ).toEqual([...Array.from({ length: 20 }, (_, at) => at), 'and 980 more']);
  });

  it('a cited value is never an object, which could contain anything', () => {
    expect(cite('p', { password: 'hunter2' }).value).toBe('[not shown]');
    expect(cite('p', [{ password: 'hunter2' }, ['hunter2']]).value).toEqual([
      '[not shown]',
      '[not shown]',
    ]);
  });

  it('a cited value shows no secret', () => {
    expect(cite('p', ['-----BEGIN RSA PRIVATE KEY-----\nMIIE', 'plain']).value).toEqual([
      '[redacted]',
      'plain',
    ]);
  });

  it('a cited value can be stored in Postgres', () => {
    expect(cite('p', 'a\0b\uD800c').value).toBe('a\uFFFDb\uFFFDc');
  });
});
