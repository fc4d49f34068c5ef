import { expect, it } from 'vitest';
import { render } from '../../../platform/mail/render.ts';
import { WebAddress } from '../../../platform/web-address.ts';
import { breakGlassUsed } from './mails.ts';

const web = new WebAddress('https://console.example.com/app');

it('the mail about break-glass says when, from where and why the key was used, without a link', () => {
  const origin = { ip: '192.0.2.1', at: new Date('2026-11-20T08:00:00Z') };
  const mail = breakGlassUsed({ tenantName: 'Example', reason: 'Locked out' }, origin);
  const { subject, text, html } = render(mail.content(web));
  expect(subject).toBe('The master key was used on Example');
  expect(text).toMatch(/2026-11-20T08:00:00.000Z.*192\.0\.2\.1[\s\S]*Locked out/);
  expect(text + html).not.toContain('http');
});
