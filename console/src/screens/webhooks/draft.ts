import type { Webhook } from '@cspm/sdk';
import { changesOf as changedMembers } from '../../lib/changes.ts';
import { EVENTS } from './webhook-events.ts';

/** What the form of a webhook changes. */
export type Draft = Pick<Webhook, 'url' | 'description' | 'events' | 'format'>;

const NEW_DRAFT: Draft = { url: '', description: '', events: [], format: 'standard' };

/** The names of the fields. */
export const LABELS: Readonly<Record<keyof Draft, string>> = {
  url: 'URL',
  description: 'Description',
  format: 'Format',
  events: 'Events',
};

export function contentOf(webhook: Draft | null): Draft {
  const { url, description, events, format } = webhook ?? NEW_DRAFT;
  return { url, description, events, format };
}

/** The content as the server takes it. */
export function cleaned({ url, description, events, format }: Draft): Draft {
  return {
    url: url.trim(),
    description: description.trim(),
    events: EVENTS.map(({ type }) => type).filter((type) => events.includes(type)),
    format,
  };
}

/** The members of a draft that differ from the content before, as the server takes them. */
export function changesOf(before: Draft, draft: Draft): Partial<Draft> {
  return changedMembers(cleaned(before), cleaned(draft));
}
