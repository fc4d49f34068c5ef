import { asStream } from './as-stream.ts';
import { asCall } from './call.ts';
import type { Cspm, Tokens } from './client.gen.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Core } from './core.ts';
import { fixedCredential } from './credential.ts';
import { follow } from './follow.ts';
import { type Operation, readOperations } from './operation.ts';
import { OPERATIONS } from './operations.gen.ts';
import type { ClientOptions, KeyedCallOptions } from './options.ts';
import { createPacing } from './pacing.ts';
import { asListCall, type Page } from './page.ts';
import { perform } from './perform.ts';
import { readRateLimits } from './rate-limit.ts';
import { prepare } from './request.ts';
import { sessionCredential } from './session.ts';
import { textStream } from './text-stream.ts';
import type { Input } from './url.ts';
import { createWait } from './wait.ts';

/**
 * Makes a client of one service, with one credential or none.
 * @throws {TypeError} for a `baseUrl` that is no URL.
 */
export function createClient(options: ClientOptions): Cspm {
  return assemble(options, systemClock);
}

/** `createClient` with time and chance in the caller's hands. Not part of the package's interface. */
export function assemble(options: ClientOptions, clock: Clock): Cspm {
  const { origin, pathname } = new URL(options.baseUrl);
  // The interface and the table are generated from the same contract; this is where one is taken for the other.
  const client = {} as unknown as Cspm & Record<string, Record<string, unknown>>;
  const session = sessionCredential(origin, options, clock, client);
  const credential = fixedCredential(origin, options) ?? session;
  const core: Core = {
    ...options,
    baseUrl: origin + pathname.replace(/\/+$/, ''),
    clock,
    credential,
    pacing: options.pacing === 'off' ? undefined : createPacing(origin, clock),
    limitsOf: readRateLimits,
  };

  async function send<T>(operation: Operation, input: Input, ofCall: KeyedCallOptions) {
    const call = prepare(core, operation, input, ofCall);
    const result = await perform<T>(core, call);
    if (operation.traits.includes('t')) await session.adopt(result.data as Tokens);
    if (/logout$/.test(operation.name)) session.end(input['refreshToken']);
    return result;
  }

  function method(operation: Operation) {
    const { traits } = operation;
    return (input: Input = {}, ofCall: KeyedCallOptions = {}) => {
      if (/[ex]/.test(traits)) {
        return asStream<unknown>(ofCall.signal, (signal) => {
          const open = () => prepare(core, operation, input, { ...ofCall, signal });
          return traits.includes('e') ? follow(core, open) : textStream(core, open());
        });
      }
      if (!traits.includes('l')) return asCall(send(operation, input, ofCall));
      return asListCall((cursor) =>
        send<Page<unknown>>(operation, { ...input, ...cursor }, ofCall),
      );
    };
  }

  readOperations(OPERATIONS, (group, key, operation) => {
    client[group] ??= {};
    client[group][key] = method(operation);
  });
  client.scans.wait = createWait(client.scans, clock);
  return client;
}
