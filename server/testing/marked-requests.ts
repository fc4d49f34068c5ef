import { z } from 'zod';
import type { ContractCase } from './contract-cases.ts';

/** What is sent in the place of every secret, and looked for where none may be. */
export const MARKER = 'MARKERthatMustNeverBeLogged';

/** Headers that can carry a secret, or a whole one by mistake. */
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

/** A body whose every string is the marker, well-formed as far as that goes. */
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
