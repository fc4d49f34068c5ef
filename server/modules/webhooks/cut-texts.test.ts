import { WEBHOOK_PAYLOADS } from '@cspm/contract';
import { describe, expect, it } from 'vitest';
import { shortened } from './events.ts';
import { slackMessage } from './slack-message.ts';

const { example } = WEBHOOK_PAYLOADS['findings.opened'].meta() as { example: never };
const LONE_SURROGATE = /\p{Surrogate}/u;

/** The blocks of the Slack message about many findings with this title. */
function textFor(title: string, first = title): string {
  const event = structuredClone(example) as { data: { findings: object[] } };
  const findings = Array.from({ length: 10 }, (_, index) => ({
    ...event.data.findings[0],
    title: index === 0 ? first : title,
  }));
  const data = { ...event.data, findings, total: 10 };
  return JSON.stringify(slackMessage({ ...(event as object), data } as never).blocks);
}

describe('a text that was cut', () => {
  it.each([0, 1])(
    'an event has no half of a surrogate pair in a shortened text (offset %d)',
    (at) => {
      const text = shortened('a'.repeat(at) + '😀'.repeat(400));
      expect(text).toMatch(/…$/);
      expect(text).not.toMatch(LONE_SURROGATE);
    },
  );

  it.each([0, 1])('a Slack message has no half of a surrogate pair (offset %d)', (at) => {
    expect(JSON.parse(textFor('a'.repeat(at) + '😀'.repeat(80)))[0].text.text).not.toMatch(
      LONE_SURROGATE,
    );
  });

  it('a Slack message has no part of an escaped character, wherever it is cut', () => {
    for (let at = 0; at < 5; at += 1) {
      const text: string = JSON.parse(textFor('&'.repeat(115), 'a'.repeat(at)))[0].text.text;
      expect(text.length).toBeGreaterThan(2_890);
      expect(text.replaceAll('&amp;', '')).not.toContain('&');
    }
  });

  it('a Slack message is verbatim, so that Slack makes no mentions and links of texts of a tenant', () => {
    expect(JSON.parse(textFor('@here https://evil.example'))).toMatchObject([
      { text: { type: 'mrkdwn', verbatim: true } },
    ]);
  });
});
