import { expect, it } from 'vitest';
import { render } from '../../../platform/mail/render.ts';
import { WebAddress } from '../../../platform/web-address.ts';
import { googleLinked } from './mails.ts';

it('the mail about a linked Google account has no link', () => {
  const mail = googleLinked({ at: new Date('2026-11-20T08:00:00Z'), ip: '192.0.2.1' });
  const { text, html } = render(mail.content(new WebAddress('https://console.example.com/app')));
  expect(text + html).not.toContain('http');
});
