import { beforeAll, describe, expect, test } from 'vitest';
import { deadlineMs } from '../../tests/kit/slowness.ts';
import { type Case, examine, type Result } from './case.ts';
import type { Subject } from './subject.ts';
import { eager } from './subjects/eager.ts';
import { lazy } from './subjects/lazy.ts';
import { table } from './table.ts';

/** These clients hang where they must not, so give up a case early. */
const LIMIT_MS = deadlineMs(3_000, 15_000);
const AT_A_TIME = 12;

/** The failures that a naive fetch wrapper must cause at least, with the expected reason. */
const FOUND_OUT: Readonly<Record<string, RegExp>> = {
  '1.command-503': /the call succeeded/,
  '1.command-reset': /the call succeeded/,
  '1.command-hang': /the call succeeded/,
  '1.read-404': /the call succeeded/,
  '1.create-409': /the call succeeded/,
  '1.create-reset': /2 different keys/,
  '1.redirect': /the other host was sent the credential/,
  '2.none-read': /an Idempotency-Key/,
  '2.own': /not "nightly-2026-11-20"/,
  '2.body-once': /the second body: .*after/,
  '2.life': /[2-4] requests/,
  '3.three-429': /4 requests/,
  '3.deadline-attempts': /./,
  '3.jitter': /./,
  '4.seconds': /the second request came after 200 ms/,
  '4.date-ahead': /after the date by -1800 ms/,
  '4.limit': /the second request came after 200 ms/,
  '4.past-deadline': /[2-4] requests/,
  '5.503': /./,
  '6.header': /./,
  '6.contract-burst': /./,
  '7.before': /the call succeeded/,
  '7.request': /the call succeeded/,
  '7.cause': /the cause is undefined/,
  '8.single-flight': /renewals|Status 401/,
  '8.never-403-FORBIDDEN': /renewals/,
  '8.refresh-reset': /renewals/,
  'u.same-key': /2 different keys/,
  'u.only-mfa': /./,
  '9.header': /no header for it/,
  'e.RATE_LIMITED': /the class/,
  'l.lazy': /requests/,
};

/** Cases that a client without retries must fail. */
const FOUND_IDLE = [
  '1.read-503',
  '1.command-429',
  '2.first',
  '3.late-answer',
  '4.date-past',
  '5.apart',
  '8.keyed',
  'u.replayed',
  'l.iterate',
];

let ofEager: readonly Result[];
let ofLazy: readonly Result[];

beforeAll(async () => {
  ofEager = await examineAll(eager, table);
  const open = table.filter(({ id }) => !failed(ofEager, id) || FOUND_IDLE.includes(id));
  ofLazy = await examineAll(lazy, open);
}, 300_000);

describe('the conformance table', () => {
  test.each(Object.entries(FOUND_OUT))(
    'the conformance table detects a client that repeats everything by the case %s',
    async (id, why) => {
      const first = ofEager.find((one) => one.id === id);
      // Among so many parallel cases, a busy machine may fail it for another reason, so repeat it alone.
      const result = why.test(first?.why ?? '') ? first : await alone(eager, id);
      expect(result).toMatchObject({ verdict: 'fail', why: expect.stringMatching(why) });
    },
  );

  test.each(FOUND_IDLE)(
    'the conformance table detects a client that repeats nothing by the case %s',
    async (id) => {
      // Among so many parallel cases, a busy machine may leave it undecided.
      const found = failed(ofLazy, id) || (await alone(lazy, id)).verdict === 'fail';
      expect(found).toBe(true);
    },
  );

  test('the conformance table has no case that both clients pass', async () => {
    const idle: string[] = [];
    for (const { id } of table) {
      if (failed(ofEager, id) || failed(ofLazy, id)) continue;
      const again = await Promise.all([alone(eager, id), alone(lazy, id)]);
      if (again.every(({ verdict }) => verdict !== 'fail')) idle.push(id);
    }
    expect(idle).toEqual([]);
  });
});

function alone(subject: Subject, id: string): Promise<Result> {
  const one = table.find((each) => each.id === id);
  if (one === undefined) throw new Error(`No case ${id}`);
  return examine(subject, one, { real: false, limitMs: 3 * LIMIT_MS });
}

function failed(results: readonly Result[], id: string): boolean {
  return results.some((result) => result.id === id && result.verdict === 'fail');
}

async function examineAll(subject: Subject, cases: readonly Case[]): Promise<Result[]> {
  const waiting = [...cases];
  const done: Result[] = [];
  const work = async () => {
    for (let one = waiting.shift(); one; one = waiting.shift()) {
      done.push(await examine(subject, one, { real: false, limitMs: LIMIT_MS }));
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return done;
}
