import { keyRing } from '../../server/platform/crypto/app-secrets.ts';
import type { Message } from '../../server/platform/mail/mail.ts';
import { type MailJob, messageIn } from '../../server/platform/mail/mail-queue.ts';
import { TEST_APP_SECRET, type TestServer } from './test-server.ts';

const keys = keyRing([TEST_APP_SECRET], 'mail');

/**
 * Every mail waiting to be sent, in order, from the queue of a server without a worker: a mail that is missing when a
 * request was answered was not queued with it.
 */
export async function mailsOf({ database }: Pick<TestServer, 'database'>): Promise<Message[]> {
  const messages = (await mailJobsOf({ database })).map((job) => messageIn(keys, job));
  return messages.filter((message) => message !== null);
}

/** The mails to one mailbox. */
export async function mailsTo(
  server: Pick<TestServer, 'database'>,
  address: string,
): Promise<Message[]> {
  return (await mailsOf(server)).filter(({ to }) => to === address);
}

/** The sealed jobs, including those that send nothing. */
export async function mailJobsOf({ database }: Pick<TestServer, 'database'>): Promise<MailJob[]> {
  const { rows } = await database.owner.query<{ payload: MailJob }>(
    `SELECT j.payload FROM graphile_worker._private_jobs j
     JOIN graphile_worker._private_tasks t ON t.id = j.task_id
     WHERE t.identifier = 'send-mail' ORDER BY j.id`,
  );
  return rows.map(({ payload }) => payload);
}

/** The link in a mail. @throws {Error} when there is none. */
export function linkIn(message: { readonly text: string } | undefined): URL {
  const [link] = /https?:\/\/\S+/.exec(message?.text ?? '') ?? [];
  if (link === undefined) throw new Error(`There is no link in ${JSON.stringify(message)}`);
  return new URL(link);
}

/** The token of the link in a mail. */
export function tokenIn(message: { readonly text: string } | undefined): string {
  return linkIn(message).searchParams.get('token') ?? '';
}
