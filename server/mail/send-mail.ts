import { SpanKind } from '@opentelemetry/api';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { KeyRing } from '../identity/app-secrets.ts';
import type { Task } from '../jobs/queue-worker.ts';
import { inSpan } from '../tracing/tracer.ts';
import { messageIn } from './mail-queue.ts';
import type { Mailer } from './mailer.ts';

const jobSchema = z.object({ sealed: z.string() });

/** What the worker does for a job of the queue `send-mail`. */
export function sendMailTask(keys: KeyRing, mailer: Mailer, log: Logger): Task {
  return async (payload) => {
    const message = messageIn(keys, jobSchema.parse(payload));
    if (message === null) return;
    const { id, template } = message;
    try {
      await inSpan(`mail ${template}`, { kind: SpanKind.CLIENT }, () => mailer.send(message));
      log.info({ mail: id, template }, 'Sent a mail');
    } catch (error) {
      // Neither the address nor the words of the mail server, which may repeat it, are for the log.
      const reason = { mail: id, template, code: codeOf(error), status: statusOf(error) };
      if (isRefused(error)) {
        log.warn(reason, 'The mail server refuses a mail for good');
        return;
      }
      log.warn(reason, 'A mail was not sent; the queue tries again');
      throw new Error(`The mail was not sent (${reason.code})`);
    }
  };
}

/** RFC 5321 §4.2.1: a 5yz reply to the mail itself will be the same next time. One to our sign-in can be mended. */
function isRefused(error: unknown): boolean {
  const status = statusOf(error);
  const ofThisMail = ['EENVELOPE', 'EMESSAGE'].includes(codeOf(error));
  return ofThisMail && status !== null && status >= 500 && status < 600;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}

function statusOf(error: unknown): number | null {
  return error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number'
    ? error.responseCode
    : null;
}
