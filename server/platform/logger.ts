import { type DestinationStream, type Logger, pino } from 'pino';
import { z } from 'zod';
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
  if (!(error instanceof Error)) return cut(String(error));
  const message = cut(messageOf(error));
  return {
    type: error.name,
    message,
    ...('code' in error ? { code: error.code } : {}),
    stack: framesOf(error, message),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}

/** Maximum length of a message. Libraries quote values in their messages, and a caller can make a value large. */
const LONGEST_MESSAGE = 4_096;
/** A schema has an issue for each faulty value. */
const MAX_ISSUES = 10;

/** The message of a ZodError would be the JSON of all its issues and of all issues in them. */
function messageOf(error: Error): string {
  if (!(error instanceof z.ZodError)) return error.message;
  const { issues } = error;
  const shown = issues
    .slice(0, MAX_ISSUES)
    .map(({ path, message }) => `${path.join('.')}: ${message}`);
  const more = issues.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more issues`] : [])].join('; ');
}

/** The stack begins with the message. V8 writes both when the stack is read for the first time. */
function framesOf(error: Error, message: string): string | undefined {
  if (error instanceof z.ZodError) error.message = message;
  const long = error.message;
  return long === message ? error.stack : error.stack?.replace(long, () => message);
}

function cut(text: string): string {
  if (text.length <= LONGEST_MESSAGE) return text;
  return `${text.slice(0, LONGEST_MESSAGE)}… (${text.length} characters)`;
}
