import { describe, expect, it } from 'vitest';
import { render } from '../../../platform/mail/render.ts';
import { WebAddress } from '../../../platform/web-address.ts';
import {
  accountExists,
  passwordChanged,
  passwordSet,
  resetPassword,
  verifyEmail,
} from './mails.ts';

const web = new WebAddress('https://console.example.com/app');
const origin = { at: new Date('2026-11-20T08:00:00Z'), ip: '192.0.2.1' };

describe('a mail about an account', () => {
  it.each([
    [verifyEmail('abc-_123'), 'https://console.example.com/app/verify-email?token=abc-_123'],
    [resetPassword('abc-_123'), 'https://console.example.com/app/reset-password?token=abc-_123'],
  ])('the link of the mail $template leads to its page at the configured address', (mail, link) => {
    const { text, html } = render(mail.content(web));
    expect(text.match(/https?:\S+/g)).toEqual([link]);
    expect(html).toContain(`<a href="${link}">`);
  });

  it.each([accountExists(), passwordChanged(origin), passwordSet(origin)])(
    'the mail $template has no link',
    (mail) => {
      const { text, html } = render(mail.content(web));
      expect(text + html).not.toContain('http');
    },
  );
});
