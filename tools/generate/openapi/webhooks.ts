import type { RouteConfig } from '@asteasolutions/zod-to-openapi';
import { WEBHOOK_PAYLOADS } from '@cspm/contract';
import type { ParameterObject } from './types.ts';

/**
 * The tag of the requests that a receiver gets. Generators write one class for each tag, and those for the API itself
 * must not be overwritten.
 */
export const EVENTS_TAG = {
  name: 'Webhook events',
  description: 'The requests that your own URLs get.',
};

const HEADERS: readonly ParameterObject[] = [
  header(
    'webhook-id',
    'The same for all attempts to deliver an event. Ignore an event whose id you have processed.',
    'msg_0199c2a47c1e7a539d5e2f6f8f1f4b11',
  ),
  header('webhook-timestamp', 'The time of the attempt, in seconds since 1970.', '1795161600'),
  header(
    'webhook-signature',
    'Signatures as Standard Webhooks 1.0 describes, separated by spaces: two during a rotation of the secret.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];

/** The requests that receivers of events get, for the section `webhooks` of the document. */
export function webhookOperations(): RouteConfig[] {
  return Object.entries(WEBHOOK_PAYLOADS).map(([type, schema]) => ({
    method: 'post',
    path: type,
    tags: [EVENTS_TAG.name],
    operationId: operationIdFor(type),
    summary: `Event \`${type}\``,
    description: schema.meta()?.description ?? type,
    security: [],
    parameters: [...HEADERS],
    request: { body: { required: true, content: { 'application/json': { schema } } } },
    responses: {
      // Any status from 200 to 299 does.
      '204': { description: 'The event was accepted. The body is ignored.' },
      default: {
        description:
          'Any other response, or none within 15 s: the event is sent again later. Status 410 disables the webhook.',
      },
    },
  }));
}

function header(name: string, description: string, example: string): ParameterObject {
  return {
    ...{ name, in: 'header', required: true, description },
    schema: { type: 'string', examples: [example] },
  };
}

/** `onScanCompleted` for `scan.completed`. */
function operationIdFor(type: string): string {
  return `on${type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}`;
}
