import { Copy as CopyIcon, Download } from 'lucide-react';
import { copyText } from '../../lib/copy-text.ts';
import { saveFile } from '../../lib/save-file.ts';
import { useStayOnPage } from '../../lib/use-stay-on-page.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { toast } from '../../ui/Toasts.tsx';
import styles from './AccountPage.module.css';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly account: string;
  readonly onClose: () => void;
}

/** Shows recovery codes, which the server cannot show again. */
export function RecoveryCodesDialog({ codes, account, onClose }: RecoveryCodesProps) {
  useStayOnPage('shown');
  const text = `${codes.join('\n')}\n`;
  const copy = async () => {
    const isDone = await copyText(text);
    if (isDone) toast('Recovery codes copied');
    else toast('The browser refused to copy. Select the codes and copy them.', { tone: 'bad' });
  };
  return (
    <Dialog
      open
      persistent
      size="wide"
      title="Save your recovery codes"
      description="Each code replaces one code of the authenticator, once. They are shown only now. Keep them where you keep passwords."
      onClose={onClose}
    >
      <ol className={styles.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <DialogActions>
        <Button onClick={() => void copy()}>
          <CopyIcon size={14} aria-hidden />
          Copy
        </Button>
        <Button
          onClick={() =>
            saveFile('cspm-recovery-codes.txt', `Recovery codes of ${account}\n\n${text}`)
          }
        >
          <Download size={14} aria-hidden />
          Download
        </Button>
        <Button kind="primary" onClick={onClose}>
          I have saved them
        </Button>
      </DialogActions>
    </Dialog>
  );
}
