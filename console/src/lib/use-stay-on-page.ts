import { useBlocker } from '@tanstack/react-router';
import { sessionState } from '../session.ts';
import { toast } from '../ui/Toasts.tsx';

const MESSAGES = {
  awaited: 'The server has not answered yet. Stay on the page until it has.',
  shown: 'Save the secret and close the dialog first. It is shown only once.',
} as const;

/**
 * Keeps the person on the page while it shows a secret that the server does not show again, or while a call runs whose
 * answer may be the only one with such a secret. The end of the session leads away in any case.
 * @param reason why the person must stay; null: they may leave.
 */
export function useStayOnPage(reason: keyof typeof MESSAGES | null): void {
  const mustStay = () => reason !== null && sessionState.get() === 'signed-in';
  useBlocker({
    shouldBlockFn: () => {
      if (reason === null || !mustStay()) return false;
      toast(MESSAGES[reason], { tone: 'bad' });
      return true;
    },
    enableBeforeUnload: mustStay,
    disabled: reason === null,
  });
}
