import type { Clock } from '../../platform/clock.ts';
import type { TenantConnection, TenantDatabase } from '../../platform/database/tenant-database.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import { mayReadFindings } from './digest-recipient.ts';
import type { Digest } from './digest-times.ts';
import { newFindings } from './mails.ts';
import {
  type DueDigest,
  deleteNotifications,
  findRecipient,
  openSince,
  stillOpen,
  type ToldFinding,
  takeDigest,
} from './queries.ts';
import type { Unsubscribe } from './unsubscribe.ts';

export interface DigestServices {
  /** Connections of the serving role. */
  readonly tenants: TenantDatabase;
  readonly mail: MailQueue;
  readonly unsubscribe: Unsubscribe;
  readonly clock: Clock;
}

/** Findings that an e-mail lists. */
const LISTED = 20;

/**
 * Queues the e-mail to a person, if it is due. The settings are read and the e-mail is queued in one transaction, so it is
 * queued once even if the process is killed. People who have left, are disabled, have not confirmed the address or may not
 * read findings get no e-mail, and their pending findings are dropped.
 */
export async function sendDigest(
  { tenants, mail, unsubscribe, clock }: DigestServices,
  { tenantId, userId }: { readonly tenantId: string; readonly userId: string },
): Promise<void> {
  await tenants.write(tenantId, async (db) => {
    const now = clock.now();
    const due = await takeDigest(db, userId, now);
    if (due === null) return;
    const recipient = await findRecipient(db, userId);
    if (recipient === null) {
      await deleteNotifications(db, userId);
      return;
    }
    if (!mayReadFindings(recipient)) return;
    const more = await openBeyondKept(db, due, now);
    const listed = [...more.critical.slice(0, LISTED), ...more.high.slice(0, LISTED)];
    const ids = [...due.critical_ids, ...due.high_ids, ...listed];
    const findings = await stillOpen(db, ids, now);
    const kept = new Set([...due.critical_ids, ...due.high_ids]);
    const count = (severity: 'critical' | 'high') =>
      more[severity].length +
      findings.filter((finding) => finding.severity === severity && kept.has(finding.id)).length;
    const [critical, high] = [count('critical'), count('high')];
    // All of them have been resolved or muted meanwhile.
    if (critical + high === 0) return;
    const notice = newFindings({
      userId,
      tenantName: recipient.tenant.name,
      // Only the contract's values are stored, and who has turned e-mails off has nothing due.
      digest: due.digest as Exclude<Digest, 'off'>,
      ...{ scans: due.scans, critical, high },
      findings: findings
        .slice(0, LISTED)
        .map(({ severity, title, asset_name: asset, project, message }) => ({
          ...{ severity, title, asset, project, message },
        })),
      scanId: due.scans === 1 ? scanOf(findings) : null,
      unsubscribeToken: unsubscribe.tokenFor({ tenantId, userId }),
    });
    await mail.queue(db, { to: recipient.email, ...notice });
  });
}

/** The scan in which all findings are new or reopened; null if a later scan has seen any of them again. */
function scanOf(findings: readonly ToldFinding[]): string | null {
  const [first] = findings;
  const isOfScan = ({ delta, last_scan_id }: ToldFinding) =>
    delta !== 'unchanged' && last_scan_id === first?.last_scan_id;
  return first !== undefined && findings.every(isOfScan) ? first.last_scan_id : null;
}

const DAY_MS = 24 * 3_600_000;

/** The ids of open findings that were counted beyond those whose ids are kept, by severity. */
async function openBeyondKept(db: TenantConnection, due: DueDigest, now: Date) {
  const since = due.counted_from ?? lastDueAt(due);
  const beyond = async (severity: 'critical' | 'high') => {
    const known = due[`${severity}_ids`];
    const most = due[severity] - known.length;
    return most > 0 ? openSince(db, severity, { since, known, most }, now) : [];
  };
  return { critical: await beyond('critical'), high: await beyond('high') };
}

/** When the last e-mail was due, unless the setting has changed since: for what an earlier release counted. */
function lastDueAt({ digest, due_at: dueAt }: DueDigest): Date {
  const days = digest === 'weekly' ? 7 : 1;
  return new Date(dueAt.getTime() - days * DAY_MS);
}
