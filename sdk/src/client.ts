import { newBudget } from './budget.ts';
import { asCall, type WithResponse } from './call.ts';
import type { Cspm, Scan, Tokens } from './client.gen.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Core } from './core.ts';
import { fixedCredential } from './credential.ts';
import type { Operation } from './operation.ts';
import { limits, operations } from './operations.gen.ts';
import type { ClientOptions, KeyedCallOptions } from './options.ts';
import { createPacing, type LimitWindows } from './pacing.ts';
import { asListCall, type Page } from './page.ts';
import { perform } from './perform.ts';
import { readRateLimits } from './rate-limit.ts';
import { prepare } from './request.ts';
import { sessionCredential } from './session.ts';
import { shared } from './shared.ts';
import type { Input } from './url.ts';
import { createWait } from './wait.ts';

/**
 * Makes a client of one service, with one credential or none.
 * @throws {TypeError} for a `baseUrl` that is no URL, and for credentials that do not go together.
 */
export function createClient(options: ClientOptions): Cspm {
  return assemble(options, systemClock);
}

/** `createClient` with time and chance in the caller's hands. Not part of the package's interface. */
export function assemble(options: ClientOptions, clock: Clock): Cspm {
  const { origin, pathname } = new URL(options.baseUrl);
  const baseUrl = origin + pathname.replace(/\/+$/, '');
  const { auth, scans } = operations;

  const send = async <T>(
    name: string,
    operation: Operation,
    input: Input = {},
    ofCall: KeyedCallOptions = {},
  ): Promise<WithResponse<T>> => {
    const call = await prepare({ baseUrl, options, clock }, name, operation, input, ofCall);
    return perform<T>(core, call).finally(call.payload?.close);
  };

  const session = sessionCredential(options.session, clock, async (refreshToken) => {
    return (await send<Tokens>('auth.refresh', auth.refresh, { refreshToken })).data;
  });
  const credential = fixedCredential(options) ?? session;
  const core: Core = {
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    clock,
    hooks: options.hooks ?? {},
    credential,
    pacing:
      options.pacing === 'off'
        ? undefined
        : createPacing(
            () => shared(`pacing ${origin}`, (): LimitWindows => new Map()),
            limits,
            clock,
          ),
    budget: () => shared(`budget ${origin} ${credential.principal}`, newBudget),
    limitsOf: readRateLimits,
  };

  const method = (name: string, operation: Operation) => {
    return (input?: Input, ofCall?: KeyedCallOptions) => {
      const outcome = send<unknown>(name, operation, input, ofCall).then((result) => {
        if (operation.opensSession) session.adopt(result.data as Tokens);
        if (operation === auth.logout) session.end(input?.['refreshToken']);
        return result;
      });
      if (!operation.list) return asCall(outcome);
      return asListCall(outcome as Promise<WithResponse<Page<unknown>>>, (cursor) =>
        send(name, operation, { ...input, cursor }, ofCall),
      );
    };
  };
  const client: Record<string, Record<string, unknown>> = {};
  for (const [group, rows] of Object.entries<Record<string, Operation>>(operations)) {
    const methods = Object.entries(rows).map(([name, row]) => [
      name,
      method(`${group}.${name}`, row),
    ]);
    client[group] = Object.fromEntries(methods);
  }
  const wait = createWait({
    clock,
    get: async (id) => (await send<Scan>('scans.get', scans.get, { id })).data,
    list: async (ids) => {
      const page = await send<Page<Scan>>('scans.list', scans.list, { ids, limit: ids.length });
      return page.data.items;
    },
    paceMs: () => core.pacing?.paceMs() ?? 0,
  });
  Object.assign(client['scans'] ?? {}, { wait });
  // The interface and the table are generated from the same contract; this is where one is taken for the other.
  return client as unknown as Cspm;
}
