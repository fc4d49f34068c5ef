import { describe, expect, it } from 'vitest';
import { StatementParts } from './finding-filter.ts';

/** A text that no other call has put together. */
const textOf = (limit: number) => ['SELECT', String(limit)].join(' ');

function partsNamed(name: string): StatementParts {
  const parts = new StatementParts('tenant');
  parts.named(name, '');
  return parts;
}

describe('statements put together from parts', () => {
  it('a prepared statement has the same name and text each time', () => {
    const [first, second] = [25, 25].map((limit) => partsNamed('same').statement(textOf(limit)));
    expect(second).toEqual(first);
    expect(first).toEqual({ name: 'same', reason: 'set', text: 'SELECT 25' });
  });

  it('statements of different names keep their texts', () => {
    expect(partsNamed('one').statement(textOf(1)).text).toBe('SELECT 1');
    expect(partsNamed('two').statement(textOf(2)).text).toBe('SELECT 2');
    expect(partsNamed('one').statement(textOf(1)).text).toBe('SELECT 1');
  });

  it('a second text under one name is not replaced by the first', () => {
    expect(partsNamed('reused').statement(textOf(1)).text).toBe('SELECT 1');
    expect(partsNamed('reused').statement(textOf(100)).text).toBe('SELECT 100');
  });

  it('a statement with a rare condition is not prepared', () => {
    const parts = partsNamed('rare');
    parts.rowConditions({ q: 'bucket' });
    expect(parts.statement(textOf(1))).toEqual({ name: '', reason: 'set', text: 'SELECT 1' });
  });
});
