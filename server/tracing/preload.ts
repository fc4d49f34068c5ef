import { isMainThread } from 'node:worker_threads';

/**
 * `node --import ./tracing.mjs main.mjs`: has the server traced by the OpenTelemetry SDK, which reads its own environment
 * (`OTEL_…`). Threads that hash passwords inherit how the process was started, and have nothing to tell.
 */
if (isMainThread) await import('./sdk.ts');
