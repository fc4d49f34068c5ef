import type { Finding } from '@cspm/sdk';
import { errorText } from '../../lib/error-text.ts';
import { date, plural } from '../../lib/format.ts';
import { queryClient } from '../../queries.ts';
import { api } from '../../session.ts';
import { toast } from '../../ui/Toasts.tsx';
import type { Muted } from './MuteDialog.tsx';
import type { FindingsView } from './search.ts';
import { useChangeFindings } from './use-findings.ts';

/** Shows at once what muting and unmuting changed, and offers to take a single mute back. */
export function useMuting(view: FindingsView | undefined) {
  const change = useChangeFindings();
  const undo = async (muteId: string, restore: () => void) => {
    try {
      await api.mutes.delete({ id: muteId });
      restore();
      toast('Mute taken back');
    } catch (error) {
      toast(errorText(error), { tone: 'bad' });
    }
  };
  return {
    done({ target, reason, expiresAt, muteId, count }: Muted) {
      let restore: () => void = () => void reload();
      if (target.kind === 'findings') {
        const ids = new Set(target.findings.map(({ id }) => id));
        const showsMuted = view === 'muted' || view === 'all';
        restore = change(ids, (one) =>
          showsMuted ? { ...one, muted: { reason, expiresAt } } : null,
        );
      } else {
        void reload();
      }
      toast(
        `${count === 1 ? 'Finding' : plural(count, 'finding')} muted until ${date(expiresAt)}`,
        muteId === undefined
          ? {}
          : { action: { label: 'Undo', onClick: () => void undo(muteId, restore) } },
      );
    },

    /** Deletes the finding's own mute. A mute by a selector stays, because it mutes other findings too. */
    async unmute(finding: Finding) {
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
        change(new Set([finding.id]), (one) => (view === 'muted' ? null : { ...one, muted: null }));
        toast('Finding unmuted');
      } catch (error) {
        void reload();
        toast(errorText(error), { tone: 'bad' });
      }
    },
  };
}

/** Loads again what mutes change. */
async function reload(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['findings'] }),
    queryClient.invalidateQueries({ queryKey: ['mutes'] }),
  ]);
}
