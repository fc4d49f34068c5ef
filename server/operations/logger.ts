import { type DestinationStream, type Logger, pino } from 'pino';
import { traceFields } from '../tracing/log-fields.ts';
import { isTracing } from '../tracing/tracer.ts';

/** JSON lines. Requests are told of by what they were matched to and by whom, never by their headers, bodies or queries. */
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
 * What of an error is safe to keep. Libraries hang whole connections on theirs, with addresses and keys; the causes matter,
 * since refusals carry what really happened there.
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
