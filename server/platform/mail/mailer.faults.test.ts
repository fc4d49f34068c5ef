import { afterEach, beforeEach, expect, it } from 'vitest';
import { TestMailServer } from '../../../tests/kit/mail-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { newId } from '../ids.ts';
import { createMailer } from './mailer.ts';

const HAND_OVER_MS = 500;

let slow: TestMailServer;
let silent: TestMailServer;

beforeEach(async () => {
  slow = await TestMailServer.start();
  silent = await TestMailServer.start();
});

afterEach(async () => {
  await slow.stop();
  await silent.stop();
});

const sendTo = ({ url }: TestMailServer) =>
  createMailer({ url, from: 'a@example.com', outbox: '', handOverWithinMs: HAND_OVER_MS }).send({
    ...{ id: newId(), template: 'test', to: 'b@example.com', subject: 's', text: 't', html: 'h' },
  });

it('a mail server gets more time to accept a mail that it has than until it has the mail', async () => {
  slow.hold('end');
  silent.hold('recipient');
  const sent = sendTo(slow);
  await until('the mail to arrive', async () => slow.waiting > 0);
  // This begins later, so the other mail has waited longer when it ends.
  await expect(sendTo(silent)).rejects.toThrow('abort');
  slow.release();
  await sent;
  expect(slow.received).toMatchObject([{ to: ['b@example.com'] }]);
  expect(silent.received).toEqual([]);
});
