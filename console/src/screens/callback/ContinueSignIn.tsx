import { useLoaded } from '../../lib/use-loaded.ts';
import { api, sessionState } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import styles from '../../ui/Outside.module.css';
import { OutsidePage } from '../../ui/OutsidePage.tsx';

interface ContinueSignInProps {
  readonly onContinue: () => void;
  readonly onCancel: () => void;
}

/**
 * Asks before a sign-in that another site may have started, or that replaces a session. Nothing has changed yet: the
 * account is known to the server alone until the code is exchanged.
 */
export function ContinueSignIn({ onContinue, onCancel }: ContinueSignInProps) {
  const isSignedIn = sessionState.get() === 'signed-in';
  return (
    <OutsidePage title="Continue the sign-in?">
      <div className={styles.form}>
        <p className={styles.text}>
          An identity provider is about to sign you in. Continue only if you started this yourself:
          another site can start it too, and would sign you in to an account that is not yours.
        </p>
        {isSignedIn && <PresentSession />}
        <p className={styles.text}>You can continue for one minute.</p>
        <Button kind="primary" wide onClick={onContinue}>
          Continue
        </Button>
        <Button wide onClick={onCancel} autoFocus>
          Cancel
        </Button>
      </div>
    </OutsidePage>
  );
}

/** Names the session that the sign-in would end. */
function PresentSession() {
  const { data } = useLoaded(() => api.auth.me());
  const who = data === undefined ? '' : ` as ${data.user?.email ?? 'a key'} in ${data.tenant.name}`;
  return (
    <p className={styles.text}>
      This browser is signed in{who}. If you continue, that session ends.
    </p>
  );
}
