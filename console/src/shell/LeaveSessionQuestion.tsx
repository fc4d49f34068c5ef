import { useEffect } from 'react';
import { createStore } from '../lib/store.ts';
import { hasUnsavedWork } from '../lib/unsaved-work.ts';
import { ConfirmDialog } from '../ui/Dialog.tsx';

interface LeaveRequest {
  /** The verb: `Sign out`. */
  readonly verb: string;
  readonly leave: () => Promise<unknown>;
}

const asked = createStore<LeaveRequest | null>(null);

/** Ends the session, after a question if the page has unsaved work. */
export function leaveSession(verb: string, leave: LeaveRequest['leave']): void {
  if (hasUnsavedWork()) asked.set({ verb, leave });
  else void leave();
}

const close = () => asked.set(null);

/** Asks before the person ends the session on a page with unsaved work. */
export function LeaveSessionQuestion() {
  const request = asked.use();
  // The session may end while it is shown.
  useEffect(() => close, []);
  if (request === null) return null;
  const { verb, leave } = request;
  return (
    <ConfirmDialog
      open
      title="Leave without saving?"
      confirm={verb}
      danger
      onClose={close}
      onConfirm={leave}
    >
      Changes that are not saved are lost, and a running upload stops.
    </ConfirmDialog>
  );
}
