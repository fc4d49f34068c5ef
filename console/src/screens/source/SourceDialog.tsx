import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { errorText, fieldErrors } from '../../lib/error-text.ts';
import { useAction } from '../../lib/use-action.ts';
import { DropZone } from '../../parts/DropZone.tsx';
import { api } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { FormError, FormFailure, TextField } from '../../ui/Field.tsx';
import { Form, type FormValues } from '../../ui/Form.tsx';
import { Select } from '../../ui/Select.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { toast } from '../../ui/Toasts.tsx';
import { KeyFileError, readKeyFile, type ServiceAccountKey } from './key-file.ts';
import styles from './Source.module.css';
import { sourceQuery } from './source-query.ts';

interface DialogProps {
  readonly name: string;
  /** Whether the project has a source. */
  readonly replaces: boolean;
  readonly onClose: () => void;
}

/** Sets or replaces the source of a project. */
export function SourceDialog({ name, replaces, onClose }: DialogProps) {
  // The form stays when the page loads the source that was set.
  const [loads] = useState(replaces);
  const present = useQuery({ ...sourceQuery(name), enabled: loads });
  return (
    <Dialog open title="Set the inventory source" size="wide" onClose={onClose}>
      {loads && present.isLoading ? (
        <Skeleton height={320} />
      ) : (
        <SourceForm name={name} parent={present.data?.parent} onClose={onClose} />
      )}
    </Dialog>
  );
}

const CREDENTIALS = [
  { value: 'service_account_key', label: 'Key file of a service account' },
  { value: 'impersonation', label: 'Impersonation of a service account' },
] as const;

interface FormProps {
  readonly name: string;
  /** The parent of the source to replace. */
  readonly parent: string | undefined;
  readonly onClose: () => void;
}

function SourceForm({ name, parent: presentParent, onClose }: FormProps) {
  const queryClient = useQueryClient();
  const [type, setType] = useState<(typeof CREDENTIALS)[number]['value']>('service_account_key');
  const [key, setKey] = useState<ServiceAccountKey | null>(null);
  const [keyFault, setKeyFault] = useState<string | null>(null);
  const save = useAction(async (values: FormValues, isShown) => {
    const credential =
      type === 'service_account_key'
        ? { type, key: { ...key } }
        : { type, serviceAccount: (values['credential.serviceAccount'] ?? '').trim() };
    const parent = (values['parent'] ?? '').trim();
    await api.sources.set({ name, kind: 'google-cloud', parent, credential });
    await queryClient.invalidateQueries({ queryKey: ['projects'] });
    toast('Source set');
    if (isShown()) onClose();
  });
  const choose = async (file: File) => {
    setKey(null);
    setKeyFault(null);
    try {
      setKey(await readKeyFile(file));
    } catch (error) {
      setKeyFault(
        error instanceof KeyFileError ? error.message : 'The file cannot be read. Choose it again.',
      );
    }
  };
  const submit = (values: FormValues) => {
    if (type === 'service_account_key' && key === null) setKeyFault('Choose a key file.');
    else save.run(values);
  };
  return (
    <Form className={styles.form} errors={fieldErrors(save.error)} onFormSubmit={submit}>
      <TextField
        name="parent"
        label="Parent"
        description="What is pulled: projects/<id>, folders/<number> or organizations/<number>."
        required
        mono
        maxLength={200}
        defaultValue={presentParent}
        autoComplete="off"
        spellCheck={false}
      />
      <Select label="Credential" options={CREDENTIALS} value={type} onChange={setType} />
      {type === 'impersonation' ? (
        <Impersonation />
      ) : (
        <>
          {key !== null && (
            <p className={styles.chosen} role="status">
              <CircleCheck size={16} aria-hidden />
              <span>
                Key of <code>{key.client_email}</code>
              </span>
            </p>
          )}
          <DropZone
            title="Drop a key file here"
            label="Key file"
            accept=".json,application/json"
            onFile={(file) => void choose(file)}
          >
            Only client_email and private_key are sent. The server stores the key encrypted and
            never shows it again.
          </DropZone>
        </>
      )}
      {keyFault !== null && type === 'service_account_key' ? (
        <FormError>{keyFault}</FormError>
      ) : (
        <FormFailure error={save.error} />
      )}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" busy={save.isBusy}>
          Set source
        </Button>
      </DialogActions>
    </Form>
  );
}

/** The service account to impersonate, whose name begins with the prefix of the tenant. */
function Impersonation() {
  const tenant = useQuery({ queryKey: ['tenant'], queryFn: () => api.tenant.get() });
  const prefix = tenant.data?.googlePrincipalPrefix;
  return (
    <TextField
      name="credential.serviceAccount"
      label="Service account"
      description={
        tenant.isError && prefix === undefined ? (
          errorText(tenant.error)
        ) : (
          <>
            Its name begins with <code>{prefix ?? '…'}</code>, which belongs to your tenant alone.
            The identity of this service needs roles/iam.serviceAccountTokenCreator on it.
          </>
        )
      }
      placeholder={prefix === undefined ? undefined : `${prefix}@<project>.iam.gserviceaccount.com`}
      required
      mono
      maxLength={254}
      autoComplete="off"
      spellCheck={false}
    />
  );
}
