import type { ReactNode } from 'react';
import { useLeaveBlocker } from '../lib/use-leave-blocker.ts';
import { ConfirmDialog } from '../ui/Dialog.tsx';

interface LeavePromptProps {
  /** Whether the person would lose something now by leaving the page. */
  readonly wouldLose: () => boolean;
  readonly title: string;
  /** The verb for leaving: `Discard changes`. */
  readonly confirm: string;
  readonly onLeave?: () => void;
  /** What would be lost. */
  readonly children: ReactNode;
}

/**
 * Asks before a page with unsaved work is left. The end of the session leads away in any case; `LeaveSessionQuestion` asks
 * before the person ends it.
 */
export function LeavePrompt({ wouldLose, title, confirm, onLeave, children }: LeavePromptProps) {
  const blocker = useLeaveBlocker(wouldLose);
  return (
    <ConfirmDialog
      open={blocker.status === 'blocked'}
      title={title}
      confirm={confirm}
      danger
      onClose={() => blocker.reset?.()}
      onConfirm={async () => {
        onLeave?.();
        blocker.proceed?.();
      }}
    >
      {children}
    </ConfirmDialog>
  );
}
