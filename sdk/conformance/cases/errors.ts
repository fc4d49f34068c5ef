import type { Case } from '../case.ts';
import { check, failed, same } from '../check.ts';
import { problem } from '../server.ts';

/** Error families by the response that causes them. */
const FAMILIES: readonly [number, string, string][] = [
  [400, 'VALIDATION_FAILED', 'ValidationError'],
  [401, 'UNAUTHORIZED', 'UnauthorizedError'],
  [403, 'FORBIDDEN', 'ForbiddenError'],
  [403, 'MFA_REQUIRED', 'MfaRequiredError'],
  [403, 'FEATURE_NOT_LICENSED', 'FeatureNotLicensedError'],
  [404, 'NOT_FOUND', 'NotFoundError'],
  [409, 'CONFLICT', 'ConflictError'],
  [409, 'IDEMPOTENCY_KEY_IN_USE', 'IdempotencyError'],
  [422, 'IDEMPOTENCY_KEY_MISMATCH', 'IdempotencyError'],
  [429, 'RATE_LIMITED', 'RateLimitError'],
  [503, 'SERVICE_UNAVAILABLE', 'UnavailableError'],
  [413, 'PAYLOAD_TOO_LARGE', 'ApiError'],
];

/** Properties of errors. */
export const errors: readonly Case[] = [
  ...FAMILIES.map(
    ([status, code, family]): Case => ({
      id: `e.${code}`,
      line: 'errors',
      title: `throws ${family} on ${status} ${code}`,
      needs: ['read', 'families'],
      async run(stage) {
        stage.on('read', problem(status, code));
        const outcome = await stage.settle(stage.client({ maxAttempts: 1 }).call('read'));
        failed(outcome, status);
        same(outcome.failure.family, family, 'the class');
        same(outcome.failure.code, code, 'the code');
      },
    }),
  ),
  {
    id: 'e.connection',
    line: 'errors',
    title: 'throws ConnectionError when there was no response',
    needs: ['read', 'families'],
    async run(stage) {
      stage.on('read', 'reset');
      const { failure } = await stage.settle(stage.client().call('read'));
      same(failure.family, 'ConnectionError', 'the class');
      same(failure.status ?? 'none', 'none', 'the status');
    },
  },
  {
    id: 'e.timeout',
    line: 'errors',
    time: 'real',
    title: 'throws TimeoutError when the deadline has passed',
    needs: ['read', 'families', 'deadline'],
    async run(stage) {
      stage.on('read', 'hang');
      const { failure } = await stage.settle(stage.client({ deadlineMs: 60 }).call('read'));
      same(failure.family, 'TimeoutError', 'the class');
    },
  },
  {
    id: 'e.status',
    line: 'errors',
    title: 'reports the status of the last response, even if it was not a problem document',
    needs: ['read'],
    async run(stage) {
      const page = { status: 502, body: '<html>Bad Gateway</html>' };
      stage.on('read', { ...page, headers: { 'content-type': 'text/html' } });
      failed(await stage.settle(stage.client().call('read')), 502);
    },
  },
  {
    id: 'e.problem',
    line: 'errors',
    title: 'reports the problem document, the request id and the rate limits',
    needs: ['read', 'problems'],
    async run(stage) {
      const headers = { ratelimit: '"default";r=57;t=42', 'x-correlation-id': 'a-request' };
      stage.on('read', problem(404, 'NOT_FOUND', headers));
      const { failure } = await stage.settle(stage.client().call('read'));
      same(failure.problemCode, 'NOT_FOUND', 'the problem');
      same(failure.correlationId, 'a-request', 'the correlation id');
      same(failure.limits, [{ name: 'default', remaining: 57 }], 'the limits');
    },
  },
  {
    id: 'e.attempts',
    line: 'errors',
    title: 'reports every attempt, including those without a response',
    needs: ['read', 'problems'],
    async run(stage) {
      stage.on('read', 'reset', 429, 503);
      const { failure } = await stage.settle(stage.client().call('read'));
      same(
        failure.attempts?.map(({ status, failed: lost }) => [status ?? 'none', lost]),
        [
          ['none', true],
          [429, false],
          [503, false],
        ],
        'the attempts',
      );
    },
  },
  {
    id: 'e.garbled',
    line: 'errors',
    title: 'fails on a malformed success and does not retry it',
    needs: ['read'],
    async run(stage) {
      const headers = { 'content-type': 'application/json' };
      stage.on('read', { headers, body: 'Welcome to the hotel network' });
      failed(await stage.settle(stage.client().call('read')));
      check(stage.sent('read').length === 1, `${stage.sent('read').length} requests`);
    },
  },
];
