import { expect, it } from 'vitest';
import { render } from '../../platform/mail/render.ts';
import { WebAddress } from '../../platform/web-address.ts';
import { invitation } from './mails.ts';

const web = new WebAddress('https://console.example.com/app');

it.each([
  [true, 'https://console.example.com/app/reset-password?token=abc-_123'],
  [false, 'https://console.example.com/app/accept-invite?token=abc-_123'],
])(
  'the link of an invitation leads to its page at the configured address (new person: %s)',
  (newPerson, link) => {
    const mail = invitation({ token: 'abc-_123', tenantName: 'Example', newPerson });
    const { text, html } = render(mail.content(web));
    expect(text.match(/https?:\S+/g)).toEqual([link]);
    expect(html).toContain(`<a href="${link}">`);
  },
);
