import { type Clock, systemClock } from '../src/clock.ts';
import { type LoopbackServer, problem, type Received, type Step, startServer } from './server.ts';
import type { CallName, Client, Failure, Route, Setting, Subject } from './subject.ts';
import { TestClock } from './test-clock.ts';

/** A step, or a status with the words that go with it, or what the route answers when all is well. */
export type Cue = Step | number | 'ok';

/** Where one case is played: a server, a clock, and clients of both. */
export interface Stage {
  readonly subject: Subject;
  readonly server: LoopbackServer;
  readonly clock: Clock;
  /** How late something may be although nothing is wrong, in milliseconds of the clock. */
  readonly slackMs: number;
  /** What chance answers from now on; of no effect on clients that have their own. */
  chance(next: () => number): void;
  client(setting?: Partial<Setting>): Client;
  /** What the server does with a call, one step after the other; the last one stays. */
  on(call: CallName, ...cues: readonly [Cue, ...Cue[]]): void;
  /** The same for an address such as `GET /projects`, where there is no `ok`. */
  script(at: string, ...cues: readonly (Step | number)[]): void;
  /** The requests that a call has led to. */
  sent(call: CallName): Received[];
  route(call: CallName): Route;
  /** How a call ended, and what it took on the clock. */
  settle(call: Promise<unknown>): Promise<Outcome>;
  close(): Promise<void>;
}

export interface Outcome {
  readonly ok: boolean;
  readonly error: unknown;
  readonly failure: Failure;
  readonly tookMs: number;
}

/** A loaded machine may be this late in real time. */
const REAL_SLACK_MS = 500;

const CODES: ReadonlyMap<number, string> = new Map([
  [400, 'VALIDATION_FAILED'],
  [401, 'UNAUTHORIZED'],
  [403, 'FORBIDDEN'],
  [404, 'NOT_FOUND'],
  [409, 'CONFLICT'],
  [413, 'PAYLOAD_TOO_LARGE'],
  [422, 'PREFLIGHT_BLOCKED'],
  [429, 'RATE_LIMITED'],
  [503, 'SERVICE_UNAVAILABLE'],
]);

let credentials = 0;

/** Opens a stage in real time, or in a time that jumps from one wake-up to the next. */
export async function openStage(subject: Subject, real: boolean): Promise<Stage> {
  const clock = real ? systemClock : new TestClock();
  const server = await startServer(clock);
  const route = (call: CallName): Route => {
    const found = subject.routes[call];
    if (!found) throw new Error(`${subject.name} has no ${call}`);
    return found;
  };
  const script: Stage['script'] = (at, first = {}, ...rest) => {
    const step = (cue: Step | number) =>
      inItsWords(subject, typeof cue === 'number' ? refusal(cue) : cue);
    server.on(at, step(first), ...rest.map(step));
  };
  credentials += 1;
  const credential = `cspm_case${credentials}_${'x'.repeat(43)}`;
  return {
    subject,
    server,
    clock,
    slackMs: real ? REAL_SLACK_MS : 1,
    chance(next) {
      if (clock instanceof TestClock) clock.chance = next;
    },
    client: (setting) => subject.open({ baseUrl: server.url, credential, clock, ...setting }),
    on(call, ...cues) {
      const { at, answer } = route(call);
      script(at, ...cues.map((cue) => (cue === 'ok' ? answer : cue)));
    },
    script,
    sent: (call) => server.to(route(call).at),
    route,
    async settle(call) {
      const startedAt = clock.now();
      const [{ status, ...result }] = await Promise.allSettled([call]);
      const error = 'reason' in result ? result.reason : undefined;
      const failure = status === 'rejected' ? subject.explain(error) : {};
      return { ok: status === 'fulfilled', error, failure, tookMs: clock.now() - startedAt };
    },
    close: () => server.close(),
  };
}

/** Clients may tell by the body alone whether a call has failed. */
function inItsWords(subject: Subject, step: Step): Step {
  if (!subject.errorBody || typeof step === 'string') return step;
  if (typeof step === 'function')
    return async (request) => inItsWords(subject, await step(request));
  const { status = 200 } = step;
  return status < 400 ? step : { ...step, body: subject.errorBody(status) };
}

/** A status, with a problem document where the service has one for it. */
export function refusal(status: number, headers: Readonly<Record<string, string>> = {}): Step {
  const code = CODES.get(status);
  return code === undefined ? { status, headers } : problem(status, code, headers);
}
