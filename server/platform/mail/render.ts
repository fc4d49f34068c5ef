import { withoutInvisible } from '../display-name.ts';
import type { MailContent, Message } from './mail.ts';

/** A mail as text and HTML, ready to be sent. */
export function render(
  content: MailContent,
): Pick<Message, 'subject' | 'text' | 'html' | 'unsubscribe'> {
  const { unsubscribe } = content;
  return {
    ...{ subject: oneLine(content.subject), text: asText(content), html: asHtml(content) },
    ...(unsubscribe === undefined ? {} : { unsubscribe }),
  };
}

function asText({ paragraphs, items = [], action, after, unsubscribe }: MailContent): string {
  const parts = [
    ...paragraphs.map(oneLine),
    ...(items.length === 0 ? [] : [items.map((item) => `- ${oneLine(item)}`).join('\n')]),
    ...(action === undefined ? [] : [`${action.label}:\n${action.link}`]),
    ...(after === undefined ? [] : [after]),
    ...(unsubscribe === undefined ? [] : [`Unsubscribe:\n${unsubscribe}`]),
  ];
  return `${parts.join('\n\n')}\n`;
}

function asHtml({
  subject,
  paragraphs,
  items = [],
  action,
  after,
  unsubscribe,
}: MailContent): string {
  const list = items.map((item) => `<li>${escapeHtml(oneLine(item))}</li>`);
  const body = [
    ...paragraphs.map((words) => `<p>${escapeHtml(oneLine(words))}</p>`),
    ...(list.length === 0 ? [] : ['<ul>', ...list, '</ul>']),
    ...(action === undefined
      ? []
      : [
          `<p><a href="${escapeHtml(action.link)}">${escapeHtml(action.label)}</a></p>`,
          `<p>${escapeHtml(action.link)}</p>`,
        ]),
    ...(after === undefined ? [] : [`<p>${escapeHtml(after)}</p>`]),
    ...(unsubscribe === undefined
      ? []
      : [`<p><a href="${escapeHtml(unsubscribe)}">Unsubscribe</a></p>`]),
  ];
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(oneLine(subject))}</title></head>\n<body>\n${body.join('\n')}\n</body></html>\n`;
}

/** The name of a tenant within a sentence, so that it cannot be read as a part of the sentence. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', "'")}"`;
}

/** Also without invisible characters: a name that was stored earlier can have them. */
function oneLine(words: string): string {
  return withoutInvisible(words.replaceAll(/\s+/g, ' ')).trim();
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
