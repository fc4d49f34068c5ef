import { expect, it } from 'vitest';
import type { JsonValue } from './json.ts';
import { parameterFault } from './parameter-value.ts';

it.each<[string, JsonValue, JsonValue]>([
  ['days', 1, 90],
  ['days', 3650, 90],
  ['allowedDomains', [], []],
  ['allowedDomains', ['example.com', 'xn--bcher-kva.example'], []],
  ['ports', [0, 22, 65_535], [1433]],
  ['names', ['a'], ['b']],
  ['strict', false, true],
  ['region', 'eu', 'us'],
])('the parameter %s may be %j', (name, value, byDefault) => {
  expect(parameterFault(name, value, byDefault)).toBeNull();
});

it.each<[string, JsonValue, JsonValue]>([
  ['days', 0, 90],
  ['days', '90', 90],
  ['days', 90.5, 90],
  ['allowedDomains', 'example.com', []],
  ['allowedDomains', ['Example.com'], []],
  ['allowedDomains', ['@example.com'], []],
  ['allowedDomains', ['localhost'], []],
  ['allowedDomains', [1], []],
  ['allowedDomains', new Array(101).fill('example.com'), []],
  ['ports', [65_536], [1433]],
  ['ports', [22.5], [1433]],
  ['ports', ['22'], [1433]],
  ['names', [1], ['b']],
  ['names', ['x'.repeat(300)], ['b']],
  ['strict', 'true', true],
  ['region', '', 'us'],
  ['region', 1, 'us'],
  ['nested', {}, {}],
  ['nothing', null, null],
])('the parameter %s may not be %j', (name, value, byDefault) => {
  expect(parameterFault(name, value, byDefault)).toMatch(/^(must be|cannot) \S/);
});
