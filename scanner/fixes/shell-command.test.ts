import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CommandValue, shellCommand } from './shell-command.ts';

function commandWith(template: string, values: Readonly<Record<string, CommandValue>>): string {
  return shellCommand(template, (name) => (Object.hasOwn(values, name) ? values[name] : undefined));
}

/** The words that a POSIX shell makes of a command. */
function wordsOf(command: string): string[] {
  const script = `set -- ${command}\nprintf '%s\\0' "$@"`;
  return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

describe('a shell command', () => {
  it('a shell command contains ordinary values unchanged', () => {
    const values = { name: 'web-1', zone: 'europe-west1-b' };
    expect(commandWith('compute instances stop {name} --zone={zone}', values)).toBe(
      'compute instances stop web-1 --zone=europe-west1-b',
    );
  });

  it.each([
    "x'; rm -rf ~ #",
    '$(reboot)',
    '`id`',
    'a b',
    'a\\',
    '"',
    "''",
    '!!',
    '*',
    '~root',
    '#x',
    '&& x',
  ])('a shell command keeps %j in one word', (name) => {
    expect(wordsOf(commandWith('stop {name} --zone={name} gs://{name}', { name }))).toEqual([
      'stop',
      name,
      `--zone=${name}`,
      `gs://${name}`,
    ]);
  });

  it('a shell command keeps any printable value in its word', () => {
    const printable = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(printable, (name) => {
        expect(wordsOf(commandWith('stop --name={name} end', { name }))).toEqual([
          'stop',
          `--name=${name}`,
          'end',
        ]);
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    ['a line feed', 'a\nreboot'],
    ['an escape sequence of a terminal', '\u001b[2J'],
    ['a mark that reverses the text', '\u202egnp.exe'],
    ['a NUL', 'a\0b'],
    ['a credential', 'AKIAIOSFODNN7EXAMPLE'],
    ['more characters than a name has', 'a'.repeat(1_001)],
  ])('a shell command has a placeholder instead of a value with %s', (_, keyRing) => {
    expect(commandWith('list --keyring={keyRing}', { keyRing })).toBe('list --keyring=KEY_RING');
  });

  it('a shell command has a placeholder instead of a value that would be an option', () => {
    const name = '--impersonate-service-account=x';
    expect(commandWith('delete {name} --zone={name}', { name })).toBe(`delete NAME --zone=${name}`);
  });

  it('a shell command has a placeholder instead of a missing value', () => {
    expect(commandWith('delete {name} --zone={zone}', { name: 'a' })).toBe('delete a --zone=ZONE');
  });

  it.each<[readonly string[], string]>([
    [['a=1', 'b=2'], '--flags=a=1,b=2'],
    [['a=1,evil=on', 'b=2'], "--flags='^;^a=1,evil=on;b=2'"],
    [['^x^a=1', 'b=2'], "--flags='^,^^x^a=1,b=2'"],
    [['a=,;|~#%!', 'b=2'], '--flags=FLAGS'],
  ])('a shell command writes the list %j so that no element becomes two', (flags, expected) => {
    const command = commandWith('--flags={flags}', { flags });
    expect(command.replace(/^'--flags=/, "--flags='")).toBe(expected);
  });
});
