import { type DestinationStream, type Logger, pino } from 'pino';
import { traceFields } from './tracing/log-fields.ts';
import { isTracing } from './tracing/tracer.ts';

/** Writes JSON lines. A request is described by its operation and principal, never by its headers, body or query. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
    ...(isTracing ? { mixin: traceFields } : {}),
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/**
 * The parts of an error that are safe to log. Libraries attach whole connections with addresses and keys to their
 * errors. Causes are kept, because refusals carry the original error there.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  return {
    type: error.name,
    message: error.message,
    ...('code' in error ? { code: error.code } : {}),
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}
