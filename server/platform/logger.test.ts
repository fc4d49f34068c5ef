import { expect, it } from 'vitest';
import { z } from 'zod';
import { createLogger } from './logger.ts';

function lineOf(err: unknown): string {
  const lines: string[] = [];
  createLogger('error', { write: (line) => void lines.push(line) }).error({ err }, 'It failed');
  return lines.join('');
}

it('a log line has the message, the stack and the cause of an error', () => {
  const error = new Error('outer', { cause: new TypeError('inner') });
  const { err } = JSON.parse(lineOf(error));
  expect(err).toMatchObject({ message: 'outer', cause: { type: 'TypeError', message: 'inner' } });
  expect(err.stack).toMatch(/^Error: outer\n +at /);
});

it('a log line is short although an error quotes a large value, and still has its stack', () => {
  const line = lineOf(new Error('outer', { cause: new Error('x'.repeat(1_000_000)) }));
  expect(line.length).toBeLessThan(20_000);
  const { cause } = JSON.parse(line).err;
  expect(cause.message).toMatch(/^x{4096}… \(1000000 characters\)$/);
  expect(cause.stack).toMatch(/^Error: x{4096}… \(1000000 characters\)\n +at /);
});

it('a log line is short although a schema has found thousands of faults, each with faults of its own', () => {
  const either = z.union([z.object({ a: z.string() }), z.object({ a: z.boolean() })]);
  const { error } = z.array(either).safeParse(Array.from({ length: 5_000 }, () => ({ a: 1 })));
  const line = lineOf(new Error('outer', { cause: error }));
  expect(line.length).toBeLessThan(20_000);
  const { message } = JSON.parse(line).err.cause;
  expect(message).toMatch(/^0: Invalid input; 1: .* and 4990 more issues$/);
});

it.each(['code', 'name', 'stack'])(
  'a log line is short although the %s of an error is long',
  (member) => {
    const long = Object.assign(new Error('outer'), { [member]: 'x'.repeat(1_000_000) });
    const line = lineOf(long);
    expect(line.length).toBeLessThan(20_000);
    const { err } = JSON.parse(line);
    expect(err[member === 'name' ? 'type' : member]).toMatch(
      /^x{4096,8192}… \(1000000 characters\)$/,
    );
  },
);

it('a log line keeps codes that are numbers', () => {
  const { err } = JSON.parse(lineOf(Object.assign(new Error('outer'), { code: 7 })));
  expect(err.code).toBe(7);
});

it('a log line has the first five causes of an error, also of one that is its own cause', () => {
  const own = new Error('own');
  own.cause = own;
  const deep = Array.from({ length: 2_000 }).reduce<Error>(
    (cause, _, at) => new Error(`${at}`, { cause }),
    new Error('innermost'),
  );
  for (const error of [own, deep]) {
    let { err } = JSON.parse(lineOf(error));
    for (let at = 0; at < 5; at += 1) err = err.cause;
    expect(err.message).toBe(error === own ? 'own' : '1994');
    expect(err.cause).toBe(undefined);
  }
});
