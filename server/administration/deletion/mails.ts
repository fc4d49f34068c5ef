import { setTimeout as delay } from 'node:timers/promises';
import { CommandError, type Operator } from '../operator.ts';
import type { Deletion } from './deletion-context.ts';

/** Longer than a mail server may take for each step of a mail. */
const SENT_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 500;

/**
 * Removes the mails about the tenant that wait to be sent, and waits for those on their way to the mail server.
 * @throws {CommandError} when one takes too long.
 */
export async function endMails({ say }: Operator, { tenantId, places }: Deletion): Promise<void> {
  for (const { client } of places) {
    const until = performance.now() + SENT_WITHIN_MS;
    for (let isFirst = true; ; isFirst = false) {
      await client.query(REMOVE, [tenantId]);
      const { rows } = await client.query<{ held: boolean }>(HELD, [tenantId]);
      if (rows[0]?.held !== true) break;
      if (isFirst) say('Waiting for mails of the tenant that are being sent');
      if (performance.now() > until) {
        throw new CommandError(
          `The mail server is slow, and a mail of tenant ${tenantId} is still being sent. Repeat the command.`,
        );
      }
      await delay(LOOK_EVERY_MS);
    }
  }
}

/** A worker without a heartbeat for this long is dead, and sends nothing. */
const REMOVE = `
  DELETE FROM graphile_worker._private_jobs j
  WHERE j.payload->>'ofTenant' = $1 AND (j.locked_by IS NULL OR COALESCE(
    (SELECT h.beat_at FROM jobs.heartbeats h WHERE h.worker_id = j.locked_by), j.locked_at
  ) < now() - interval '30 seconds')`;

const HELD = `
  SELECT EXISTS (SELECT FROM graphile_worker._private_jobs j WHERE j.payload->>'ofTenant' = $1) AS held`;
