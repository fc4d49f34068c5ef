import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { arrange, failureOf, SCAN_ID } from '../conformance/arrange.ts';
import { problem } from '../conformance/server.ts';
import { ApiError, ForbiddenError, NotFoundError } from './errors.ts';

describe('an error', () => {
  test('an error names the operation and the request, without the values of the query', async () => {
    const { server, cspm } = await arrange();
    server.on('GET /findings', problem(404, 'NOT_FOUND'));
    const call = cspm.findings.list({ project: 'secret-shop', severity: ['high', 'low'] });
    expect(await failureOf(call, NotFoundError)).toMatchObject({
      operation: 'findings.list',
      method: 'GET',
      url: `${server.url}/findings?project=&severity=&severity=`,
    });
  });

  test('an error has the headers and the beginning of the body, such as the page of a proxy', async () => {
    const { server, cspm } = await arrange();
    const page = `<html>Blocked by the firewall${' '.repeat(10_000)}</html>`;
    server.on('GET /projects', { status: 403, body: page, headers: { 'x-proxy': 'fw1' } });
    const error = await failureOf(cspm.projects.list(), ForbiddenError);
    expect(error.body).toMatch(/^<html>Blocked by the firewall/);
    expect(error.body).toHaveLength(4096);
    expect(error.headers?.get('x-proxy')).toBe('fw1');
  });

  test('the error of the readiness probe says what is missing', async () => {
    const { server, cspm } = await arrange({ retry: false });
    server.on('GET /health/ready', {
      status: 503,
      headers: { 'content-type': 'application/problem+json' },
      body: {
        code: 'SERVICE_UNAVAILABLE',
        status: 503,
        detail: 'Not ready',
        missing: ['database'],
      },
    });
    const error = await failureOf(cspm.meta.ready(), ApiError);
    expect(error.problem).toMatchObject({ missing: ['database'] });
  });

  test('an error is an instance of its classes in another copy of the package, and of no other class', async () => {
    const {
      ApiError: Other,
      NotFoundError: OtherNotFound,
      ForbiddenError: OtherForbidden,
    } = await copy();
    const { server, cspm } = await arrange();
    server.on(`GET /scans/${SCAN_ID}`, problem(404, 'NOT_FOUND'));
    const error = await failureOf(cspm.scans.get({ id: SCAN_ID }));
    expect(Other).not.toBe(ApiError);
    expect([error instanceof Other, error instanceof OtherNotFound]).toEqual([true, true]);
    expect([error instanceof OtherForbidden, new Error('x') instanceof Other]).toEqual([
      false,
      false,
    ]);
    class Mine extends ApiError {}
    expect([
      error instanceof Mine,
      new Mine({ message: 'm', code: 'c' }) instanceof ApiError,
    ]).toEqual([false, true]);
    for (const nothing of [null, undefined, 'x', 1]) expect(nothing).not.toBeInstanceOf(Other);
  });

  /** The errors of a second, minified copy. */
  async function copy(): Promise<typeof import('./errors.ts')> {
    const { outputFiles } = await build({
      entryPoints: [new URL('errors.ts', import.meta.url).pathname],
      bundle: true,
      minify: true,
      format: 'esm',
      write: false,
    });
    return import(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`);
  }
});

describe('a logger', () => {
  test('a logger gets requests, responses and retries, without values of the query and without credentials', async () => {
    const lines: [level: string, message: string, details: object][] = [];
    const at = (level: string) => (details: object, message: string) =>
      void lines.push([level, message, details]);
    const logger = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
    const { server, cspm } = await arrange({ logger });
    server.on(
      'GET /projects',
      { ...problem(503, 'SERVICE_UNAVAILABLE'), headers: { 'x-correlation-id': 'c-1' } },
      { body: { items: [], nextCursor: null } },
    );
    await cspm.projects.list({ cursor: 'secret-cursor' });
    expect(lines.map(([level, message]) => `${level} ${message}`)).toEqual([
      'debug projects.list: request',
      'debug projects.list: response',
      'warn projects.list: retry',
      'debug projects.list: request',
      'debug projects.list: response',
    ]);
    expect(lines[1]?.[2]).toMatchObject({
      operation: 'projects.list',
      attempt: 1,
      status: 503,
      correlationId: 'c-1',
    });
    expect(JSON.stringify(lines)).not.toMatch(/secret-cursor|cspm_test/);
  });

  test('a logger may be the console', async () => {
    const { server, cspm } = await arrange({ logger: { ...console, debug: () => {} } });
    server.on('GET /projects', { body: { items: [], nextCursor: null } });
    expect((await cspm.projects.list()).items).toEqual([]);
  });
});
