import type { Cspm } from '../../src/client.gen.ts';
import type { Clock } from '../../src/clock.ts';
import type { ApiError } from '../../src/errors.ts';
import type { ClientOptions, CredentialOptions, Hooks } from '../../src/options.ts';
import { storedSession } from '../../src/sessions/stored-session.ts';
import type { CallOptions, Client, Failure, Setting, Subject } from '../subject.ts';
import { TestClock } from '../test-clock.ts';
import { abilities, list, routes, SCAN, stream } from './service.ts';

/** Our client. The caller creates it, because both the source and the shipped bundle are tested. */
export function cspm(make: (options: ClientOptions, clock: Clock) => Cspm): Subject {
  return {
    name: '@cspm/sdk',
    routes,
    abilities,
    clocked: true,
    attemptHeader: 'x-retry-attempt',
    list,
    stream,
    open: (setting) => open(make(optionsFor(setting), setting.clock)),
    explain,
  };
}

function optionsFor(setting: Setting): ClientOptions {
  const { baseUrl, clock, onStepUp, maxAttempts, onEvent } = setting;
  return {
    baseUrl,
    ...credentialFor(setting),
    ...(onStepUp && { onStepUp }),
    ...(maxAttempts !== undefined && { retry: maxAttempts > 1 ? { maxAttempts } : false }),
    timeoutMs: setting.deadlineMs,
    attemptTimeoutMs: setting.attemptMs,
    pacing: setting.pacing,
    fetch: clock instanceof TestClock ? clock.holding(fetch) : undefined,
    hooks: onEvent ? hooksFor(onEvent) : undefined,
  };
}

function credentialFor({ credential, session, source }: Setting): CredentialOptions {
  if (session) return { session };
  if (source === 'supplied') return { credential: async () => ({ apiKey: credential }) };
  if (source !== 'stored') return { apiKey: credential };
  const stored = {
    accessToken: `access-${credential}`,
    refreshToken: `refresh-${credential}`,
    expiresAt: Date.now() + 900_000,
  };
  return { session: storedSession({ load: async () => stored, save() {}, clear() {} }) };
}

function hooksFor(tell: NonNullable<Setting['onEvent']>): Hooks {
  return {
    onRequest: ({ attempt, delayMs, reason }) =>
      tell({ what: 'request', attempt, delayMs, reason }),
    onResponse: ({ attempt, delayMs, reason }) =>
      tell({ what: 'response', attempt, delayMs, reason }),
    onRetry: ({ attempt, delayMs, reason }) => tell({ what: 'retry', attempt, delayMs, reason }),
  };
}

function open(client: Cspm): Client {
  const calls = (options: CallOptions = {}) => {
    const { signal, headers, deadlineMs: timeoutMs, key: idempotencyKey, names } = options;
    const input = { projects: names ?? ['shop-prod'], profile: 'full' };
    const given = { signal, headers, timeoutMs };
    return {
      read: () => client.scans.get({ id: SCAN.id }, given),
      check: () => client.preflight.run(input, given),
      remove: () => client.projects.delete({ name: 'shop-prod' }, given),
      create: () => client.scans.launch(input, { ...given, idempotencyKey }),
      command: () => client.auth.login({ email: 'ada@example.com', password: 'secret' }, given),
    };
  };
  return {
    call: (name, options) => calls(options)[name](),
    async detailed(name) {
      const { response, correlationId, attempts, retryDelayMs } = await calls()
        [name]()
        .withResponse();
      return { status: response.status, correlationId, attempts: attempts.map(told), retryDelayMs };
    },
    async *list() {
      for await (const { name } of client.projects.list()) yield name;
    },
    firstPage: async () => (await client.projects.list()).items.map(({ name }) => name),
    async *stream({ signal } = {}) {
      const events = client.scans.events({ id: SCAN.id }, { signal });
      for await (const { data } of events) yield data.profile;
    },
  };
}

function explain(error: unknown): Failure {
  // Checks properties instead of classes, because the shipped bundle has its own classes.
  const { name, status, code, retryAfterMs, cause, correlationId, attempts, rateLimit, problem } =
    error as ApiError;
  return {
    family: name,
    status,
    code,
    retryAfterMs,
    cause,
    correlationId,
    attempts: attempts?.map(told),
    limits: rateLimit?.map((limit) => ({ name: limit.name, remaining: limit.remaining })),
    problemCode: problem?.code,
  };
}

function told({ status, error, delayMs }: ApiError['attempts'][number]) {
  return { status, failed: error !== undefined, delayMs };
}
