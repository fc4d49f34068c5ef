import type { CustomRule } from '@cspm/sdk';
import { api } from '../../session.ts';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { toast } from '../../ui/Toasts.tsx';
import { reloadRules } from './custom-rules-query.ts';

interface DeleteRuleProps {
  /** Null: the dialog is closed. */
  readonly rule: CustomRule | null;
  readonly onClose: () => void;
  /** Not called if the dialog was left meanwhile. */
  readonly onDeleted?: () => unknown;
}

export function DeleteRuleDialog({ rule, onClose, onDeleted }: DeleteRuleProps) {
  return (
    <ConfirmDialog
      open={rule !== null}
      title={`Delete “${rule?.title ?? ''}”?`}
      confirm="Delete rule"
      danger
      onClose={onClose}
      onConfirm={async (isShown) => {
        if (rule === null) return;
        await api.customRules.delete({ id: rule.id });
        if (isShown()) await onDeleted?.();
        await reloadRules();
        toast('Rule deleted');
      }}
    >
      The next scan resolves its findings. Scans that are already launched still evaluate it. This
      cannot be undone.
    </ConfirmDialog>
  );
}
