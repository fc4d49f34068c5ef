import type { Profile } from '@cspm/sdk';
import { api } from '../../session.ts';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { toast } from '../../ui/Toasts.tsx';

interface DeleteProfileProps {
  /** Null: the dialog is closed. */
  readonly profile: Profile | null;
  readonly onClose: () => void;
  /** @param isShown whether the dialog is still there. */
  readonly onDeleted: (isShown: boolean) => Promise<unknown>;
}

export function DeleteProfileDialog({ profile, onClose, onDeleted }: DeleteProfileProps) {
  return (
    <ConfirmDialog
      open={profile !== null}
      title={`Delete “${profile?.name ?? ''}”?`}
      confirm="Delete profile"
      danger
      onClose={onClose}
      onConfirm={async (isShown) => {
        if (profile === null) return;
        await api.profiles.delete({ name: profile.name });
        await onDeleted(isShown());
        toast('Profile deleted');
      }}
    >
      New scans cannot use it. Scans that were launched with it keep their rules.
    </ConfirmDialog>
  );
}
