import type { ReceivedMail, TestMailServer } from './mail-server.ts';
import { linkIn } from './mailbox.ts';
import { until } from './until.ts';

/** Waits for the newest mail to an address. */
export function arrivedMail(
  mails: TestMailServer,
  email: string,
  subject: RegExp,
): Promise<ReceivedMail> {
  return until(`a mail to ${email}`, async () =>
    mails.received.findLast(
      ({ to, headers }) => to.includes(email) && subject.test(headers['subject'] ?? ''),
    ),
  );
}

/** Waits for a mail and returns the address of its link. */
export async function linkOfMail(
  mails: TestMailServer,
  email: string,
  subject: RegExp,
): Promise<string> {
  return linkIn(await arrivedMail(mails, email, subject)).href;
}
