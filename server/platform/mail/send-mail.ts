import { SpanKind } from '@opentelemetry/api';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { KeyRing } from '../crypto/app-secrets.ts';
import type { Task } from '../queue-worker.ts';
import { inSpan } from '../tracing/tracer.ts';
import { messageIn } from './mail-queue.ts';
import type { Mailer } from './mailer.ts';
import { mayStillGet, type RecipientServices } from './recipient.ts';

const jobSchema = z.object({ sealed: z.string(), ofTenant: z.string().optional() });

export interface SendMailServices extends RecipientServices {
  readonly keys: KeyRing;
  readonly mailer: Mailer;
  readonly log: Logger;
}

/** The worker's task for the queues `send-mail` and `send-digest`. */
export function sendMailTask({ keys, mailer, log, ...recipients }: SendMailServices): Task {
  return async (payload) => {
    const { sealed, ofTenant } = jobSchema.parse(payload);
    const message = messageIn(keys, { sealed });
    if (message === null) return;
    const { id, template } = message;
    if (ofTenant !== undefined && !(await mayStillGet(recipients, ofTenant, message))) {
      log.info({ mail: id, template }, 'Dropped a mail to a person who is no longer a recipient');
      return;
    }
    try {
      await inSpan(`mail ${template}`, { kind: SpanKind.CLIENT }, () => mailer.send(message));
      log.info({ mail: id, template }, 'Sent a mail');
    } catch (error) {
      // The log must not contain the address, nor the mail server's reply, which may repeat it.
      const reason = { mail: id, template, code: codeOf(error), status: statusOf(error) };
      if (isRefused(error)) {
        log.warn(reason, 'The mail server rejected a mail permanently');
        return;
      }
      log.warn(reason, 'Failed to send a mail; the queue will retry');
      // The function jobs.keep_trying distinguishes the codes in this message.
      const code = isOfAllMails(error) ? 'all mails' : reason.code;
      throw new Error(`Failed to send the mail (${code})`);
    }
  };
}

/** RFC 4954 §6: authentication is required. Servers that require STARTTLS use it too (RFC 3207 §4). */
const AUTHENTICATION_REQUIRED = 530;

/** RFC 5321 §4.2.1: a 5yz reply to the mail itself is permanent. */
function isRefused(error: unknown): boolean {
  const ofThisMail = ['EENVELOPE', 'EMESSAGE'].includes(codeOf(error));
  return ofThisMail && isPermanent(error) && !isOfAllMails(error);
}

/** A refusal of our authentication, sender address or right to relay, which the operator can mend. */
function isOfAllMails(error: unknown): boolean {
  if (statusOf(error) === AUTHENTICATION_REQUIRED) return true;
  const isOfSender = error instanceof Error && 'command' in error && error.command === 'MAIL FROM';
  return isPermanent(error) && (isOfSender || isRelayRefused(error));
}

/**
 * A mail server that does not relay for us refuses each recipient outside of its own domains. Its status is that of an
 * unknown recipient or a policy, but all common servers name the reason: "Relay access denied", "Unable to relay".
 */
function isRelayRefused(error: unknown): boolean {
  const response = error instanceof Error && 'response' in error ? String(error.response) : '';
  const words = response.split(/\s+/);
  // An address that the response repeats may contain the word.
  return words.some((word) => !word.includes('@') && /\brelay/i.test(word));
}

function isPermanent(error: unknown): boolean {
  const status = statusOf(error);
  return status !== null && status >= 500 && status < 600;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}

function statusOf(error: unknown): number | null {
  return error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number'
    ? error.responseCode
    : null;
}
