import { describe, expect, it } from 'vitest';
import { child, isTrue, items, strings, text } from '../json.ts';
import { guarded, UnknownValue } from './unknown-value.ts';

describe('a value that is known after apply only', () => {
  const planned = guarded(
    { name: 'db', settings: { tier: 'small', flags: [{ name: 'a', value: null }] } },
    [['selfLink'], ['settings', 'sslMode'], ['settings', 'flags', '0', 'value']],
  );

  it('a value known only after apply is never read as absent, at any depth', () => {
    expect(() => text(planned, 'selfLink')).toThrow(UnknownValue);
    expect(() => isTrue(child(planned, 'settings'), 'sslMode')).toThrow(
      'settings.sslMode is known after apply only',
    );
    const [flag] = items(child(planned, 'settings'), 'flags');
    expect(() => text(flag as never, 'value')).toThrow('settings.flags[0].value is known');
  });

  it('a value known only after apply throws when it is looked up, listed or counted', () => {
    expect(() => Object.hasOwn(planned, 'selfLink')).toThrow(UnknownValue);
    expect(() => 'selfLink' in planned).toThrow(UnknownValue);
    expect(() => Object.keys(planned)).toThrow(UnknownValue);
    const list = guarded({ members: [null, 'user:ada@example.com'] }, [['members', '0']]);
    expect(() => strings(list, 'members')).toThrow(UnknownValue);
  });

  it('a value known only after apply leaves the known values beside it unchanged', () => {
    expect(text(planned, 'name')).toBe('db');
    expect(text(child(planned, 'settings'), 'tier')).toBe('small');
    const [flag] = items(child(planned, 'settings'), 'flags');
    expect(text(flag as never, 'name')).toBe('a');
  });

  it('every member of an asset is unknown when nothing else is known about it', () => {
    const partly = guarded({ nodePools: [] }, [['*']]);
    expect(partly['nodePools']).toEqual([]);
    expect(() => child(partly, 'legacyAbac')).toThrow(
      'legacyAbac is not in the Terraform document',
    );
  });
});

describe('untrusted paths of unknown values', () => {
  it('a path with more members than a value can be deep names no value', () => {
    const data = guarded({ a: { a: 'known' } }, [Array.from({ length: 20_000 }, () => 'a')]);
    expect(text(child(data, 'a'), 'a')).toBe('known');
  });
});
