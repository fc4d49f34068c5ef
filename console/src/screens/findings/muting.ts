import type { Finding } from '@cspm/sdk';
import { errorText } from '../../lib/error-text.ts';
import { date, plural } from '../../lib/format.ts';
import { queryClient } from '../../queries.ts';
import { api } from '../../session.ts';
import { toast } from '../../ui/Toasts.tsx';
import { changeFindings } from './change-findings.ts';
import type { Filters } from './search.ts';

/** What is to be muted: findings by id, or everything that matches a filter. */
export type MuteTarget =
  | { readonly kind: 'findings'; readonly findings: readonly Finding[] }
  | MatchesTarget;

export interface MatchesTarget {
  readonly kind: 'matches';
  readonly filter: Filters;
  /** How many findings match, as far as the person knows. */
  readonly total: number;
}

/** What was muted. */
export interface Muted {
  readonly target: MuteTarget;
  readonly reason: string;
  readonly expiresAt: string;
  /** The id of the mute of a single finding, which can be undone. */
  readonly muteId: string | undefined;
  /** How many findings are muted by this now. */
  readonly count: number;
  /** How many were muted for longer already, and stay as they were. */
  readonly unchanged: number;
}

/** Shows at once what was muted, and offers to undo a single mute. */
export function showMuted({ target, reason, expiresAt, muteId, count, unchanged }: Muted): void {
  let restore: () => void = () => void reload();
  // The answer does not say which findings are unchanged.
  if (target.kind === 'findings' && unchanged === 0) {
    const ids = new Set(target.findings.map(({ id }) => id));
    restore = changeFindings(ids, (one) =>
      // Such as by a selector, which the API does not compare.
      isMutedAfter(one, expiresAt) ? one : { ...one, muted: { reason, expiresAt } },
    );
  } else {
    void reload();
  }
  toast(
    mutedText(count, unchanged, date(expiresAt)),
    muteId === undefined
      ? {}
      : { action: { label: 'Undo', onClick: () => void undo(muteId, restore) } },
  );
}

/** Whether a mute that ends at this time changes nothing. Of several mutes, the one that ends last applies. */
export function isMutedAfter({ muted }: Finding, end: string): boolean {
  return muted !== null && muted.expiresAt > end;
}

function mutedText(count: number, unchanged: number, end: string): string {
  const texts = [];
  if (count > 0)
    texts.push(`${count === 1 ? 'Finding' : plural(count, 'finding')} muted until ${end}`);
  if (unchanged > 0) texts.push(`${plural(unchanged, 'finding')} already muted for longer`);
  return texts.join('. ') || 'No finding was muted';
}

async function undo(muteId: string, restore: () => void): Promise<void> {
  try {
    await api.mutes.delete({ id: muteId });
    restore();
    toast('Mute undone');
  } catch (error) {
    toast(errorText(error), { tone: 'bad' });
  }
}

/** Deletes the finding's own mute. A mute by a selector stays, because it mutes other findings too. */
export async function unmute(finding: Finding): Promise<void> {
  try {
    const { items } = await api.mutes.list({ finding: finding.id, active: true });
    const own = items.filter(({ fingerprint }) => fingerprint === finding.fingerprint);
    for (const { id } of own) await api.mutes.delete({ id });
    if (own.length < items.length || own.length === 0) {
      void reload();
      toast('A mute of several findings covers this one. Delete it on the Mutes page.', {
        tone: 'bad',
      });
      return;
    }
    changeFindings(new Set([finding.id]), (one) => ({ ...one, muted: null }));
    toast('Finding unmuted');
  } catch (error) {
    void reload();
    toast(errorText(error), { tone: 'bad' });
  }
}

/** Loads again what mutes change. */
async function reload(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['findings'] }),
    queryClient.invalidateQueries({ queryKey: ['mutes'] }),
  ]);
}
