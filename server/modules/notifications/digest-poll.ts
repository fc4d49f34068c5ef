import { type DueItem, DuePoll, type DuePollServices } from '../../platform/due-poll.ts';
import type { WebAddress } from '../../platform/web-address.ts';
import { type DigestServices, sendDigest } from './send-digest.ts';

export interface DigestPollServices extends DigestServices, DuePollServices {
  readonly web: WebAddress;
}

interface Due extends DueItem {
  user_id: string;
}

/** Queues due e-mails until it is stopped. Any number of workers may do so at the same time. */
export function digestPoll(services: DigestPollServices): DuePoll<Due> {
  const { pool, clock, web } = services;
  return new DuePoll<Due>(services, {
    what: 'e-mail about findings',
    async due(most) {
      // Without an address there are no links. Another process, which listens, queues the e-mails.
      if (!web.isKnown) return [];
      const { rows } = await pool.query<Due>(
        'SELECT tenant_id, user_id FROM jobs.due_digests($1, $2)',
        [clock.now(), most],
      );
      return rows;
    },
    async work({ tenant_id: tenantId, user_id: userId }) {
      await sendDigest(services, { tenantId, userId });
      return 'done';
    },
    async postpone({ tenant_id: tenantId, user_id: userId }, until) {
      await pool.query('SELECT jobs.postpone_digest($1, $2, $3)', [tenantId, userId, until]);
    },
  });
}
