import { describe, expect, it } from 'vitest';
import { render } from '../../platform/mail/render.ts';
import { WebAddress } from '../../platform/web-address.ts';
import { newFindings } from './mails.ts';

const web = new WebAddress('https://console.example.com/app');
const token = 'abc-_123';

type Data = Parameters<typeof newFindings>[0];

function digest(
  findings: Partial<Data['findings'][number]>[],
  { tenantName = 'Example', ...others }: Partial<Data> = {},
) {
  const mail = newFindings({
    ...{ tenantName, digest: 'daily', scans: 3, critical: 1, high: 22, scanId: null },
    findings: findings.map((finding) => ({
      ...{ severity: 'high', title: 'Public bucket', asset: '//storage/b', project: 'shop' },
      ...{ message: 'It is public.', ...finding },
    })),
    ...{ userId: '0199c2a4-51d2-7e02-8b0c-6f1d0c3a9e27', unsubscribeToken: token, ...others },
  });
  return render(mail.content(web));
}

describe('a mail about new findings', () => {
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
