import { z } from 'zod';
import type { ContractCase } from './contract-operations.ts';

/** A marker that replaces every secret in requests; tests then search for it in logs. */
export const MARKER = 'MARKERthatMustNeverBeLogged';

/** Headers that can contain a secret, correctly or by mistake. */
export const MARKED_HEADERS: Readonly<Record<string, string>> = {
  authorization: `Bearer ${MARKER}`,
  'x-api-key': `cspm_${MARKER.slice(0, 12)}_${MARKER.padEnd(43, 'x')}`,
  'x-master-key': MARKER,
  'x-break-glass-reason': MARKER,
  'x-tenant-id': MARKER,
  'idempotency-key': MARKER,
  cookie: `session=${MARKER}`,
  referer: `https://example.com/?token=${MARKER}`,
  'user-agent': MARKER,
  'x-unknown': MARKER,
};

/** A body with the marker in every string, as far as the schema allows. */
export function markedBody(route: ContractCase['route']): unknown {
  const schema = 'body' in route ? route.body : undefined;
  if (!(schema instanceof z.ZodObject)) return `{"name":"${MARKER}"`;
  return Object.fromEntries(
    Object.entries(schema.shape).map(([name, member]) => [
      name,
      name === 'email'
        ? `${MARKER}@example.com`
        : member instanceof z.ZodArray
          ? [MARKER]
          : MARKER.repeat(2),
    ]),
  );
}
