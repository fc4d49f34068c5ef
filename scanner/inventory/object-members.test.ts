import fc from 'fast-check';
import { expect, it } from 'vitest';
import { eachMember } from './object-members.ts';

function membersOf(text: string): [name: string, member: string][] {
  const members: [string, string][] = [];
  eachMember(text, (name, member) => members.push([name, member]));
  return members;
}

it('finds the members that JSON.parse finds, in any JSON object with any spacing', () => {
  const objects = fc.dictionary(fc.string(), fc.jsonValue());
  const spacing = fc.constantFrom('', ' ', '\t');
  fc.assert(
    fc.property(objects, spacing, (object, space) => {
      const text = JSON.stringify(object, null, space).replaceAll('\n', space);
      const members = membersOf(text).map(([, member]) => JSON.parse(`{${member}}`));
      expect(members).toEqual(
        Object.entries(JSON.parse(text)).map((one) => Object.fromEntries([one])),
      );
      expect(membersOf(text).map(([name]) => name)).toEqual(Object.keys(JSON.parse(text)));
    }),
  );
});

it.each([
  ['{}', []],
  [' { } ', []],
  ['{"a":{}}', [['a', '"a":{}']]],
  [
    '{"a":"}","b":["{",{"c":"]"}]}',
    [
      ['a', '"a":"}"'],
      ['b', '"b":["{",{"c":"]"}]'],
    ],
  ],
  [
    String.raw`{"a\"":"\\","\u0062":"\\\""}`,
    [
      ['a"', String.raw`"a\"":"\\"`],
      ['b', String.raw`"\u0062":"\\\""`],
    ],
  ],
  [
    '{"a":1,"a":2}',
    [
      ['a', '"a":1'],
      ['a', '"a":2'],
    ],
  ],
  ['{"__proto__":{"x":1}}', [['__proto__', '"__proto__":{"x":1}']]],
] as const)('finds the members of %s', (text, members) => {
  expect(membersOf(text)).toEqual(members);
});
