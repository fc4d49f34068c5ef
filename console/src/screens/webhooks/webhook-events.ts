import type { Webhook } from '@cspm/sdk';

export type WebhookEvent = Webhook['events'][number];

/** What each event tells. A new event of the API is an error of the type check until it has a line here. */
const TEXTS: Record<WebhookEvent, string> = {
  'scan.completed': 'A scan completed',
  'scan.failed': 'A scan failed for all of its projects',
  'findings.opened': 'A scan found new or reopened findings',
  'findings.resolved': 'A scan resolved findings',
  'schedule.disabled': 'The service disabled a schedule',
  'source.failed': 'An inventory could not be pulled',
  'api_key.created': 'A member created an API key',
  'break_glass.used': 'The master key of the operator was used',
  'sign_in.locked': 'Sign-ins of a member are refused after failed ones',
};

export const EVENTS = Object.entries(TEXTS).map(([type, text]) => ({
  type: type as WebhookEvent,
  text,
}));
