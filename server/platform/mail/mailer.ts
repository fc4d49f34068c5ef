import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SendMailOptions } from 'nodemailer';
import type { Message } from './mail.ts';

type Headers = Record<string, string | { readonly prepared: boolean; readonly value: string }>;

/** Sends mails, or writes them to the outbox. */
export interface Mailer {
  /** @throws {Error} when the mail was not sent and may be retried. */
  send(message: Message): Promise<void>;
}

export interface MailerOptions {
  /** `smtp://…`; null: the outbox. */
  readonly url: string | null;
  readonly from: string;
  /** The folder for mails if there is no mail server. */
  readonly outbox: string;
  /** How long the mail server may take until it has the whole mail. Default one minute. */
  readonly handOverWithinMs?: number;
}

export function createMailer(options: MailerOptions): Mailer {
  const { url, from, outbox, handOverWithinMs = HAND_OVER_MS } = options;
  return url === null ? new Outbox(outbox, from) : new SmtpMailer(url, from, handOverWithinMs);
}

const CONNECT_TIMEOUT_MS = 10_000;
const HAND_OVER_MS = 60_000;
/**
 * RFC 5321 §4.5.3.2.6: the wait for the response to a whole mail, during which many servers examine it. A server whose
 * response comes after a shorter wait has accepted the mail, and would get another copy at each further attempt.
 */
const RESPONSE_TIMEOUT_MS = 10 * 60_000;

/** Sends mails to a mail server (RFC 5321), with one connection per mail. */
class SmtpMailer implements Mailer {
  readonly #url: string;
  readonly #from: string;
  readonly #handOverWithinMs: number;

  constructor(url: string, from: string, handOverWithinMs: number) {
    this.#url = url;
    this.#from = from;
    this.#handOverWithinMs = handOverWithinMs;
  }

  async send(message: Message): Promise<void> {
    const { createTransport } = await import('./nodemailer.ts');
    const transport = createTransport({
      url: this.#url,
      connectionTimeout: CONNECT_TIMEOUT_MS,
      greetingTimeout: CONNECT_TIMEOUT_MS,
      dnsTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: RESPONSE_TIMEOUT_MS,
    });
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), this.#handOverWithinMs);
    transport.use('stream', (mail, done) => {
      // The library reads the end of the mail when the server has asked for the mail.
      mail.message.processFunc((content) => content.once('end', () => clearTimeout(timer)));
      done();
    });
    try {
      await transport.sendMail({ ...asSent(message, this.#from), signal: late.signal });
    } finally {
      clearTimeout(timer);
      transport.close();
    }
  }
}

/** Writes each mail to a file as a mail server would receive it; the file names sort by time. */
class Outbox implements Mailer {
  readonly #folder: string;
  readonly #from: string;

  constructor(folder: string, from: string) {
    this.#folder = folder;
    this.#from = from;
  }

  async send(message: Message): Promise<void> {
    const { createTransport } = await import('./nodemailer.ts');
    const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
    const sent = await transport.sendMail(asSent(message, this.#from));
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    // The id is a UUID version 7: it begins with the time at which the mail was queued.
    const file = join(this.#folder, `${message.id}-${message.template}.eml`);
    // The final name appears only when the file is complete, for programs that watch the folder.
    await writeFile(`${file}.part`, sent.message, { mode: 0o600 });
    await rename(`${file}.part`, file);
  }
}

function asSent(
  { id, to, subject, text, html, unsubscribe }: Message,
  from: string,
): SendMailOptions {
  const domain = /@([^>]+)>?$/.exec(from)?.[1] ?? 'localhost';
  return {
    from,
    to: { name: '', address: to },
    // The library sends what looks like an encoded word (RFC 2047) as it is, and mail programs would decode it.
    subject: subject.replaceAll(/=\?(?!=)/g, '= ?'),
    text: partOf('text/plain', text),
    html: partOf('text/html', html),
    messageId: `<${id}@${domain}>`,
    // RFC 3834: asks auto-responders not to reply.
    headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(unsubscribe) },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** RFC 8058 §3.1. The link is not folded or encoded: mail programs read it as one word. */
function unsubscribeHeaders(link: string | undefined): Headers {
  if (link === undefined) return {};
  return {
    'List-Unsubscribe': { prepared: true, value: `<${link}>` },
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}

/**
 * Sends a part unencoded if possible: the library would encode lines of more than 76 characters and break the links in
 * them, which people copy from outbox files. ASCII with lines of at most 998 characters needs no encoding (RFC 2045
 * §2.7).
 */
function partOf(type: string, content: string) {
  const plain = /^[\x20-\x7e\n]*$/.test(content);
  if (!plain || content.split('\n').some((line) => line.length > 998)) return content;
  const headers = `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: 7bit`;
  return { raw: `${headers}\r\n\r\n${content.replaceAll('\n', '\r\n')}` };
}
