import { type Origin, personOf, writeAudit } from '../../platform/audit-writer.ts';
import type { KeyRing } from '../../platform/crypto/app-secrets.ts';
import { seal, unseal } from '../../platform/crypto/seal.ts';
import type { TenantDatabase } from '../../platform/database/tenant-database.ts';
import { findRecipient, turnDigestOff } from './queries.ts';

interface Subscriber {
  readonly tenantId: string;
  readonly userId: string;
}

const SEAL_CONTEXT = 'unsubscribe';
const SUBSCRIBER = /^([0-9a-f-]{36}) ([0-9a-f-]{36})$/;

/** Unsubscribes people by the links in their e-mails, which need no session (RFC 8058). */
export class Unsubscribe {
  readonly #deps: { readonly keys: KeyRing; readonly tenants: TenantDatabase };

  constructor(deps: { readonly keys: KeyRing; readonly tenants: TenantDatabase }) {
    this.#deps = deps;
  }

  /** A token that can only unsubscribe this person. It holds while its secret is configured. */
  tokenFor({ tenantId, userId }: Subscriber): string {
    return seal(this.#deps.keys, SEAL_CONTEXT, `${tenantId} ${userId}`).toString('base64url');
  }

  /** Does nothing for an unknown token, or for a person who gets no e-mails. */
  async confirm(token: string, origin: Origin): Promise<void> {
    const opened = unseal(this.#deps.keys, SEAL_CONTEXT, Buffer.from(token, 'base64url'));
    const [, tenantId, userId] = SUBSCRIBER.exec(opened ?? '') ?? [];
    if (tenantId === undefined || userId === undefined) return;
    await this.#deps.tenants.write(tenantId, async (db) => {
      if (!(await turnDigestOff(db, userId))) return;
      const recipient = await findRecipient(db, userId);
      if (recipient === null) return;
      await writeAudit(db, origin, {
        action: 'notifications.unsubscribed',
        outcome: 'success',
        actor: personOf(userId, recipient.email),
        subject: userId,
      });
    });
  }
}
