import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Clock } from '../src/clock.ts';
import { systemClock } from '../src/system-clock.ts';
import { type LoopbackServer, problem, type Received, type Step, startServer } from './server.ts';
import type { CallName, Client, Failure, Route, Setting, Subject } from './subject.ts';
import { TestClock } from './test-clock.ts';

/** A step, a status with its standard body, or `ok` for the route's normal response. */
export type Cue = Step | number | 'ok';

/** The environment of one case: a server, a clock and clients that use them. */
export interface Stage {
  readonly subject: Subject;
  readonly server: LoopbackServer;
  readonly clock: Clock;
  /** Tolerated delay in milliseconds on the stage's clock. */
  readonly slackMs: number;
  /** Sets the random numbers. Clients with their own source ignore it. */
  chance(next: () => number): void;
  client(setting?: Partial<Setting>): Client;
  /** Scripts the responses to a call in order; the last one repeats. */
  on(call: CallName, ...cues: readonly [Cue, ...Cue[]]): void;
  /** The same for a route such as `GET /projects`, which has no `ok`. */
  script(at: string, ...cues: readonly (Step | number)[]): void;
  /** The requests that a call has sent. */
  sent(call: CallName): Received[];
  route(call: CallName): Route;
  /** How a call ended and how long it took on the stage's clock. */
  settle(call: Promise<unknown>): Promise<Outcome>;
  close(): Promise<void>;
}

export interface Outcome {
  readonly ok: boolean;
  readonly error: unknown;
  readonly failure: Failure;
  readonly tookMs: number;
}

/** Tolerated delay in real time, besides that of a busy machine. */
const REAL_SLACK_MS = 500;
/** How many delays of the event loop may lie between a timer and its effect. */
const DELAYS = 4;

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

/** Opens a stage in real time, or with a clock that jumps to the next timer. */
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
  // This process also serves, so its event loop is delayed whenever the machine is too busy for either.
  const delays = monitorEventLoopDelay({ resolution: 10 });
  delays.enable();
  credentials += 1;
  const credential = `cspm_case${credentials}_${'x'.repeat(43)}`;
  return {
    subject,
    server,
    clock,
    get slackMs() {
      return real ? REAL_SLACK_MS + (DELAYS * delays.max) / 1e6 : 1;
    },
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
    close() {
      delays.disable();
      return server.close();
    },
  };
}

/** Gives the response the body that the client's service would send, because some clients detect failures by it. */
function inItsWords(subject: Subject, step: Step): Step {
  if (!subject.errorBody || typeof step === 'string') return step;
  if (typeof step === 'function')
    return async (request) => inItsWords(subject, await step(request));
  const { status = 200 } = step;
  return status < 400 ? step : { ...step, body: subject.errorBody(status) };
}

/** A status with its problem document, if the service has one for it. */
export function refusal(status: number, headers: Readonly<Record<string, string>> = {}): Step {
  const code = CODES.get(status);
  return code === undefined ? { status, headers } : problem(status, code, headers);
}
