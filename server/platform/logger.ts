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
    serializers: { err: (error: unknown) => describeError(error) },
    ...(isTracing ? { mixin: traceFields } : {}),
  };
  return pino(options, destination ?? standardOutput());
}

/** Lines that wait for a disk with room. Later ones are dropped. */
const MAX_WAITING_CHARACTERS = 1 << 20;

/**
 * Standard output, which can be a file on a full disk. The library would end the process for that, and before its end wait, in
 * this thread, until there is room.
 */
function standardOutput(): DestinationStream {
  const output = pino.destination({ fd: 1, sync: false, maxLength: MAX_WAITING_CHARACTERS });
  let isFailing = false;
  output.on('error', () => {
    isFailing = true;
  });
  output.on('write', () => {
    isFailing = false;
  });
  const flush = output.flushSync.bind(output);
  output.flushSync = () => {
    if (!isFailing) flush();
  };
  return output;
}

/**
 * The parts of an error that are safe to log. Libraries attach whole connections with addresses and keys to their
 * errors. Causes are kept, because refusals carry the original error there.
 * @param causes how many causes are kept; an error may even be its own.
 */
function describeError(error: unknown, causes = MAX_CAUSES): unknown {
  if (!(error instanceof Error)) return cut(String(error));
  const message = cut(messageOf(error));
  return {
    type: cut(String(error.name)),
    message,
    ...codeOf(error),
    stack: framesOf(error, message),
    ...(error.cause === undefined || causes === 0
      ? {}
      : { cause: describeError(error.cause, causes - 1) }),
  };
}

/** The error, or one that stands for it with the message and the stack of a log line, for libraries that write both. */
export function withShortMessage(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const message = cut(messageOf(error));
  const isShort = message === error.message && (error.stack ?? '').length <= LONGEST_STACK;
  if (isShort) return error;
  const short = new Error(message, { cause: error });
  short.stack = framesOf(error, message) ?? '';
  return short;
}

/** Maximum length of a message. Libraries quote values in their messages, and a caller can make a value large. */
const LONGEST_MESSAGE = 4_096;
/** It has the message and the frames. */
const LONGEST_STACK = 2 * LONGEST_MESSAGE;
const MAX_CAUSES = 5;
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

/** Errors of systems and of Postgres have codes. */
function codeOf(error: Error): { code?: string | number } {
  if (!('code' in error)) return {};
  const { code } = error;
  if (typeof code === 'number') return { code };
  return typeof code === 'string' ? { code: cut(code) } : {};
}

/** The stack begins with the message. V8 writes both when the stack is read for the first time. */
function framesOf(error: Error, message: string): string | undefined {
  if (error instanceof z.ZodError) error.message = message;
  const long = error.message;
  const stack = long === message ? error.stack : error.stack?.replace(long, () => message);
  return stack === undefined ? undefined : cut(stack, LONGEST_STACK);
}

function cut(text: string, longest = LONGEST_MESSAGE): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest)}… (${text.length} characters)`;
}
