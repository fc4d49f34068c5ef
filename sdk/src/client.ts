import { asStream } from './as-stream.ts';
import { asCall } from './call.ts';
import type { Cspm } from './client.gen.ts';
import type { Clock } from './clock.ts';
import type { Core } from './core.ts';
import { fixedCredential } from './credential.ts';
import { follow } from './follow.ts';
import type { Tokens } from './models.gen.ts';
import { type Operation, readOperations, unknownOperation } from './operation.ts';
import { OPERATIONS } from './operations.gen.ts';
import type { ClientOptions, DerivedOptions, KeyedCallOptions } from './options.ts';
import { asListCall, type Page } from './page.ts';
import { readRateLimits } from './rate-limit.ts';
import { prepare } from './request.ts';
import { perform } from './retry-loop.ts';
import { type SessionCredential, sessionCredential } from './session.ts';
import { systemClock } from './system-clock.ts';
import { exportStream } from './text-stream.ts';
import { createPacing } from './throttle.ts';
import { type Input, readUrl } from './url.ts';
import { createWait } from './wait.ts';

/**
 * Creates a client of one service, with one credential or none.
 * @throws {TypeError} for a `baseUrl` that is missing or is not an http URL, and for a key that is not a string.
 * @throws {ValidationError} for an `apiKey`, `masterKey` or `reason` that no header can hold, such as `cspm_…`. An unknown
 * key is not refused here: calls with it reject with an `UnauthorizedError`.
 */
export function createClient(options: ClientOptions): Cspm {
  return assemble(options, systemClock);
}

/** `createClient` with an injectable clock. Not part of the public interface. */
export function assemble(options: ClientOptions, clock: Clock): Cspm {
  const { origin, pathname } = readUrl(options.baseUrl);
  const client = {} as Cspm;
  const session = sessionCredential(origin, options, clock, client);
  const core: Core = {
    ...options,
    baseUrl: origin + pathname.replace(/\/*$/, '/'),
    clock,
    credential: fixedCredential(origin, options) ?? session,
    pacing: options.pacing === 'off' ? undefined : createPacing(origin, clock),
    limitsOf: readRateLimits,
  };
  return withMethods(client, core, session);
}

/** Gives a client its methods. Derived clients share the session, the budget and the pacing of their core. */
function withMethods(made: Cspm, core: Core, session: SessionCredential): Cspm {
  // The interface and the operation table are generated from the same contract, so the cast is safe.
  const client = made as Cspm & Record<string, Record<string, unknown>>;
  const routes = new Map<string, Operation>();

  async function send<T>(operation: Operation, input: Input, ofCall: KeyedCallOptions) {
    const { name, traits } = operation;
    const call = traits.sessional
      ? prepare(core, operation, session.inputOf(name, input), session.optionsOf(ofCall))
      : prepare(core, operation, input, ofCall);
    const result = await perform<T>(core, call);
    if (traits.opening) await session.adopt(name, result.data as Tokens);
    else if (traits.sessional) await session.end(name, input);
    return result;
  }

  function method(operation: Operation) {
    const { traits } = operation;
    return (input: Input = {}, ofCall: KeyedCallOptions = {}) => {
      if (traits.streamed) {
        return asStream<unknown>(ofCall, (signal) => {
          const open = () => prepare(core, operation, input, { ...ofCall, signal });
          return traits.followed ? follow(core, open) : exportStream(core, open());
        });
      }
      if (!traits.paged) return asCall(send(operation, input, ofCall));
      return asListCall((cursor) =>
        send<Page<unknown>>(operation, { ...input, ...cursor }, ofCall),
      );
    };
  }

  readOperations(OPERATIONS, (group, key, operation) => {
    client[group] ??= {};
    client[group][key] = method(operation);
    routes.set(operation.route, operation);
  });
  client.scans.wait = createWait(client.scans, core.clock);
  return Object.assign(client, {
    withOptions: (options: DerivedOptions) =>
      withMethods({} as Cspm, { ...core, ...options }, session),
    request: (route: string, input: Input, options: KeyedCallOptions) =>
      method(routes.get(route) ?? unknownOperation(route))(input, options),
  });
}
