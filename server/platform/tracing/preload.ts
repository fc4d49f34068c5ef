import { isMainThread } from 'node:worker_threads';

/**
 * `node --import ./tracing.mjs main.mjs`: traces the server with the OpenTelemetry SDK, which reads its own environment
 * variables (`OTEL_…`). Password hashing threads inherit the option and skip it, because they have nothing to report.
 */
if (isMainThread) await import('./sdk.ts');
