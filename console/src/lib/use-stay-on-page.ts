import { useBlocker } from '@tanstack/react-router';
import { sessionState } from '../session.ts';
import { toast } from '../ui/Toasts.tsx';

/**
 * Keeps the person on the page while it shows, or is about to show, a secret that the server does not show again. The end
 * of the session leads away in any case.
 */
export function useStayOnPage(isNeeded: boolean): void {
  const mustStay = () => isNeeded && sessionState.get() === 'signed-in';
  useBlocker({
    shouldBlockFn: () => {
      if (!mustStay()) return false;
      toast('Save the secret and close the dialog first. It is shown only once.', {
        tone: 'bad',
      });
      return true;
    },
    enableBeforeUnload: mustStay,
    disabled: !isNeeded,
  });
}
