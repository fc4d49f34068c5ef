import { describe, expect, it } from 'vitest';
import { WebAddress } from '../web-address.ts';
import type { Mail } from './mail.ts';
import { render } from './templates.ts';

const web = new WebAddress('https://console.example.com/app');
const token = 'abc-_123';
const to = 'ada@example.com';
const at = new Date('2026-11-20T08:00:00Z');

const MAILS: Mail[] = [
  { to, template: 'verify-email', data: { token } },
  { to, template: 'reset-password', data: { token } },
  { to, template: 'invitation', data: { token, tenantName: 'Example', newPerson: true } },
  { to, template: 'invitation', data: { token, tenantName: 'Example', newPerson: false } },
  { to, template: 'account-exists', data: {} },
  { to, template: 'password-changed', data: { at, ip: '192.0.2.1' } },
  { to, template: 'password-set', data: { at, ip: '192.0.2.1' } },
  { to, template: 'google-linked', data: { at, ip: '192.0.2.1' } },
  {
    to,
    template: 'break-glass',
    data: { tenantName: 'Example', reason: 'Locked out', ip: '192.0.2.1', at },
  },
];

describe('a mail', () => {
  it.each([
    [0, 'https://console.example.com/app/verify-email?token=abc-_123'],
    [1, 'https://console.example.com/app/reset-password?token=abc-_123'],
    [2, 'https://console.example.com/app/reset-password?token=abc-_123'],
    [3, 'https://console.example.com/app/accept-invite?token=abc-_123'],
  ])('the link of mail %i leads to its page at the configured address', (index, link) => {
    const { text, html } = render(MAILS[index] as Mail, web);
    expect(text.match(/https?:\S+/g)).toEqual([link]);
    expect(html).toContain(`<a href="${link}">`);
  });

  it.each(MAILS.slice(4))('a mail with the template $template has no link', (mail) => {
    const { text, html } = render(mail, web);
    expect(text + html).not.toContain('http');
  });

  it('the mail about break-glass says when, from where and why the key was used', () => {
    const { text } = render(MAILS.at(-1) as Mail, web);
    expect(text).toMatch(/2026-11-20T08:00:00.000Z.*192\.0\.2\.1[\s\S]*Locked out/);
  });

  it('a mail escapes text that people typed in the HTML, the plain text and the subject', () => {
    const tenantName = 'A <b onmouseover="x">&\r\nBcc: all@example.com\n\nPay here';
    const { subject, text, html } = render(
      { to, template: 'invitation', data: { token, tenantName, newPerson: true } },
      web,
    );
    expect(subject).not.toMatch(/[\r\n]/);
    expect(text).toContain(
      `You are invited to join "A <b onmouseover='x'>& Bcc: all@example.com Pay here".`,
    );
    expect(html).not.toContain('<b ');
    expect(html).toContain('&#60;b onmouseover=&#39;x&#39;&#62;&#38; Bcc');
  });

  type Digest = Extract<Mail, { template: 'digest' }>['data'];

  const digest = (
    findings: Partial<Digest['findings'][number]>[],
    { tenantName = 'Example', ...others }: Partial<Digest> = {},
  ) =>
    render(
      {
        to,
        template: 'digest',
        data: {
          ...{ tenantName, digest: 'daily', scans: 3, critical: 1, high: 22, scanId: null },
          findings: findings.map((finding) => ({
            ...{ severity: 'high', title: 'Public bucket', asset: '//storage/b', project: 'shop' },
            ...{ message: 'It is public.', ...finding },
          })),
          ...{ userId: '0199c2a4-51d2-7e02-8b0c-6f1d0c3a9e27', unsubscribeToken: token, ...others },
        },
      },
      web,
    );

  it('a mail about new findings lists some, counts the others, and ends with a link to unsubscribe', () => {
    const { subject, text, html, unsubscribe } = digest([
      { severity: 'critical', title: 'Public bucket', asset: '//storage/b', project: 'shop' },
    ]);
    expect(subject).toBe('New or reopened in Example: 1 critical and 22 high findings');
    expect(text).toContain(
      '3 scans of your tenant "Example" found 1 critical and 22 high findings that are new or reopened.',
    );
    expect(text).toContain(
      '- CRITICAL: Public bucket (//storage/b, project shop): It is public.\n- and 22 more\n',
    );
    expect(unsubscribe).toBe('https://console.example.com/app/unsubscribe?token=abc-_123');
    expect(text.match(/https?:\S+/g)).toEqual([
      'https://console.example.com/app/console/findings?severity=critical&severity=high',
      unsubscribe,
    ]);
    expect(html).toContain(`<a href="${unsubscribe}">Unsubscribe</a>`);
  });

  it('a mail about one finding is in the singular', () => {
    const { subject, text } = digest([{}], { scans: 1, critical: 0, high: 1 });
    expect(subject).toBe('New or reopened in Example: 1 high finding');
    expect(text).toContain(
      'A scan of your tenant "Example" found 1 high finding that is new or reopened. Findings that were muted or resolved since are left out.',
    );
  });

  it('a mail about two findings of one rule on one asset tells them apart', () => {
    const { text } = digest([{ message: 'Pool a.' }, { message: 'Pool b.' }]);
    expect(new Set(text.match(/^- HIGH: .*$/gm)).size).toBe(2);
  });

  it('a mail about one scan links to the findings that are new in this scan', () => {
    const { text } = digest([{}], { scanId: '019a', scans: 1 });
    expect(text).toContain(
      'Show these findings:\nhttps://console.example.com/app/console/findings?severity=critical&severity=high&view=new&scan=019a\n',
    );
  });

  it('a mail about new findings escapes the names that a tenant chose', () => {
    const { text, html } = digest([
      {
        severity: 'high',
        title: '<img src=x onerror="alert(1)">',
        asset: 'a\r\nBcc: all@example.com\n\nhttps://evil.example',
        project: `'">&`,
      },
    ]);
    expect(text).toContain('(a Bcc: all@example.com https://evil.example, project');
    expect(html).not.toContain('<img');
    expect(html).not.toContain('href="https://evil');
    expect(html).toContain('project &#39;&#34;&#62;&#38;)');
  });

  it('a mail about new findings shows characters that reverse or hide text by their code', () => {
    const { text, html } = digest([
      { severity: 'high', title: 'Public\u200b', asset: '//b/\u202egnp.exe', project: 'a\u2066b' },
    ]);
    for (const part of [text, html]) {
      expect(part).toContain('Public\\u{200b} (//b/\\u{202e}gnp.exe, project a\\u{2066}b)');
    }
  });

  it('a mail about new findings shows invisible characters of the name of the tenant by their code', () => {
    const { subject, text } = digest([], { tenantName: 'Ex\u202eample' });
    expect([subject, text].filter((part) => part.includes('Ex\\u{202e}ample'))).toHaveLength(2);
  });
});
