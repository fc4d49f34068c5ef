import { expect, it } from 'vitest';
import { quoted, render } from './render.ts';

it('a mail escapes text that people typed in the HTML, the plain text and the subject', () => {
  const tenantName = 'A <b onmouseover="x">&\r\nBcc: all@example.com\n\nPay here';
  const { subject, text, html } = render({
    subject: `Invitation to ${tenantName}`,
    paragraphs: [`You are invited to join ${quoted(tenantName)}.`],
  });
  expect(subject).not.toMatch(/[\r\n]/);
  expect(text).toContain(
    `You are invited to join "A <b onmouseover='x'>& Bcc: all@example.com Pay here".`,
  );
  expect(html).not.toContain('<b ');
  expect(html).toContain('&#60;b onmouseover=&#39;x&#39;&#62;&#38; Bcc');
});
