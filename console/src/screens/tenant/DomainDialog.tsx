import type { Domain } from '@cspm/sdk';
import { fieldErrors } from '../../lib/error-text.ts';
import { useAction } from '../../lib/use-action.ts';
import { useOnce } from '../../lib/use-once.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyId } from '../../ui/Copy.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { FormFailure, TextField } from '../../ui/Field.tsx';
import { Form, type FormValues } from '../../ui/Form.tsx';
import { Fact, Facts } from '../../ui/Section.tsx';
import styles from './TenantPage.module.css';

interface DomainDialogProps {
  /** Null: asks for the name of a new one. */
  readonly domain: Domain | null;
  readonly onClose: () => void;
  readonly onAdded: (domain: Domain, isShown: boolean) => Promise<void>;
  readonly onVerify: (domain: string, isShown: () => boolean) => Promise<void>;
}

/** Adds a domain, then shows the DNS record that proves it. */
export function DomainDialog({ domain, onClose, onAdded, onVerify }: DomainDialogProps) {
  return domain === null ? (
    <Dialog
      open
      title="Add an e-mail domain"
      description="You get a DNS record that verifies the domain."
      onClose={onClose}
    >
      <AddForm onClose={onClose} onAdded={onAdded} />
    </Dialog>
  ) : (
    <Record domain={domain} onClose={onClose} onVerify={onVerify} />
  );
}

function AddForm({ onClose, onAdded }: Pick<DomainDialogProps, 'onClose' | 'onAdded'>) {
  const once = useOnce();
  const add = useAction(async (values: FormValues, isShown) => {
    const domain = (values['domain'] ?? '').trim().toLowerCase();
    const added = await once(api.domains.create, { domain });
    await onAdded(added, isShown());
  });
  return (
    <Form className={styles.form} errors={fieldErrors(add.error)} onFormSubmit={add.run}>
      <TextField name="domain" label="Domain" description="Such as example.com." mono required />
      <FormFailure error={add.error} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" busy={add.isBusy}>
          Add domain
        </Button>
      </DialogActions>
    </Form>
  );
}

interface RecordProps extends Pick<DomainDialogProps, 'onClose' | 'onVerify'> {
  readonly domain: Domain;
}

function Record({ domain: { domain, record }, onClose, onVerify }: RecordProps) {
  const verify = useAction((_, isShown) => onVerify(domain, isShown));
  return (
    <Dialog
      open
      size="wide"
      title={`Verify ${domain}`}
      description="Add this record to the DNS of the domain. DNS changes can take up to an hour."
      onClose={onClose}
    >
      <Facts>
        <Fact label="Type">{record.type}</Fact>
        <Fact label="Name">
          <CopyId id={record.name} label="Copy the name" />
        </Fact>
        <Fact label="Value">
          <CopyId id={record.value} label="Copy the value" />
        </Fact>
      </Facts>
      <FormFailure error={verify.error} />
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        <Button kind="primary" busy={verify.isBusy} onClick={() => verify.run()}>
          Verify now
        </Button>
      </DialogActions>
    </Dialog>
  );
}
