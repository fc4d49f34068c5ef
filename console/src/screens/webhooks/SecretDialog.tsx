import { useStayOnPage } from '../../lib/use-stay-on-page.ts';
import { Button } from '../../ui/Button.tsx';
import { Copy } from '../../ui/Copy.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import styles from './Webhooks.module.css';

interface SecretDialogProps {
  readonly secret: string;
  readonly onClose: () => void;
}

/** Shows a signing secret, which the server does not show again. */
export function SecretDialog({ secret, onClose }: SecretDialogProps) {
  useStayOnPage('shown');
  return (
    <Dialog
      open
      persistent
      title="Copy the signing secret now"
      description="It is shown only once. Receivers verify with it that an event comes from this service."
      onClose={onClose}
    >
      <div className={styles.secret}>
        <code data-testid="webhook-secret">{secret}</code>
        <Copy text={secret} label="Copy the secret" />
      </div>
      <DialogActions>
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}
