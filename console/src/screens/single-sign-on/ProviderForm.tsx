import type { SamlSettings } from '@cspm/sdk';
import { useQuery } from '@tanstack/react-query';
import { Upload } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import { changesOf } from '../../lib/changes.ts';
import { fieldErrors } from '../../lib/error-text.ts';
import { useAction } from '../../lib/use-action.ts';
import { LeavePrompt } from '../../parts/LeavePrompt.tsx';
import { useConflictQuestion } from '../../parts/use-conflict-question.tsx';
import { useIdentity } from '../../queries.ts';
import { rolesQuery } from '../../queries-roles.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { FormFailure, TextField } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { Select } from '../../ui/Select.tsx';
import { toast } from '../../ui/Toasts.tsx';
import styles from './SingleSignOnPage.module.css';
import { loadSettings } from './settings-query.ts';

/** The API refuses longer metadata. In bytes. */
const MAX_METADATA = 256 * 1024;

/** What two people can change. */
interface Content {
  /** The provider in words; empty: there is none. */
  readonly provider: string;
  readonly emailDomains: readonly string[];
  readonly defaultRole: string;
}

const LABELS: Readonly<Record<keyof Content, string>> = {
  provider: 'Identity provider',
  emailDomains: 'E-mail domains',
  defaultRole: 'Default role for new members',
};

/** The characters at the end of a certificate that tell it from others. */
const CERTIFICATE_END = 12;

function contentOf(settings: SamlSettings | null): Content {
  if (settings === null) return { provider: '', emailDomains: [], defaultRole: 'viewer' };
  const { entityId, ssoUrl, certificates, emailDomains, defaultRole } = settings;
  const ends = certificates.map((pem) =>
    pem.replaceAll(/-----.*?-----|\s/g, '').slice(-CERTIFICATE_END),
  );
  const provider = `${entityId} with the sign-in URL ${ssoUrl} and certificates that end in ${ends.join(', ')}`;
  return { provider, emailDomains, defaultRole };
}

interface ProviderFormProps {
  /** The present settings; null: there are none. */
  readonly settings: SamlSettings | null;
  readonly onCancel: (() => void) | undefined;
  /** @param isShown whether the form is still open. */
  readonly onDone: (isShown: boolean) => Promise<void>;
}

/** Sets the identity provider by its metadata. */
export function ProviderForm({ settings, onCancel, onDone }: ProviderFormProps) {
  const { permissions } = useIdentity();
  const roles = useQuery(rolesQuery);
  const [metadata, setMetadata] = useState('');
  const [opened] = useState(() => contentOf(settings));
  const [domains, setDomains] = useState(opened.emailDomains.join('\n'));
  const [role, setRole] = useState(opened.defaultRole);
  const names = (roles.data ?? [])
    .filter((one) => one.permissions.every((name) => isForNewcomers(name, permissions)))
    .map(({ name }) => name);
  const offered = [...new Set([...names, role])].map((name) => ({ value: name, label: name }));
  const emailDomains = domains.split(/[\s,]+/).filter((one) => one !== '');
  // The metadata always replaces the provider.
  const provider = 'the one of your metadata';
  const changes = changesOf<Content>(opened, { provider, emailDomains, defaultRole: role });
  const save = useAction(async (_, isShown) => {
    const content = merge(contentOf(await loadSettings()));
    if (content === null) return;
    await api.saml.putSettings({
      metadataXml: metadata,
      emailDomains: [...content.emailDomains],
      defaultRole: content.defaultRole,
    });
    toast('Identity provider saved');
    await onDone(isShown());
  });
  const { merge, question } = useConflictQuestion<Content>({
    noun: 'identity provider',
    labels: LABELS,
    opened,
    changes,
    asksAlways: true,
    onDiscard: () => void onDone(true),
    onSave: save.run,
  });
  const isChanged = metadata !== '' || 'emailDomains' in changes || 'defaultRole' in changes;
  return (
    <Form className={styles.form} errors={fieldErrors(save.error)} onFormSubmit={() => save.run()}>
      <Metadata value={metadata} onChange={setMetadata} autoFocus={onCancel !== undefined} />
      <TextField
        name="emailDomains"
        label="E-mail domains"
        description="The provider can sign in only people with addresses of these domains. One domain a line."
        rows={2}
        mono
        required
        value={domains}
        onChange={({ currentTarget }) => setDomains(currentTarget.value)}
      />
      <Select
        label="Default role for new members"
        options={offered}
        value={role}
        onChange={setRole}
      />
      <FormFailure error={save.error} />
      <div className={styles.buttons}>
        <Button kind="primary" type="submit" busy={save.isBusy}>
          Save
        </Button>
        {onCancel !== undefined && <Button onClick={onCancel}>Cancel</Button>}
      </div>
      {question}
      <LeavePrompt
        wouldLose={() => isChanged && !save.isBusy}
        title="Leave without saving?"
        confirm="Discard changes"
      >
        The changes to the identity provider are not saved.
      </LeavePrompt>
    </Form>
  );
}

/** A role for newcomers has no administration, and nothing that the person lacks. */
function isForNewcomers(permission: string, own: readonly string[]): boolean {
  return !permission.startsWith('admin.') && own.includes(permission);
}

interface MetadataProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly autoFocus: boolean;
}

/** Metadata by file, by dropping it, or pasted. */
function Metadata({ value, onChange, autoFocus }: MetadataProps) {
  const picker = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    if (file.size > MAX_METADATA) toast('The file is larger than 256 kB.', { tone: 'bad' });
    else onChange(await file.text());
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping a file has the button as its equal
    <div
      className={styles.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <TextField
        name="metadataXml"
        label="Metadata of the provider"
        rows={6}
        mono
        required
        spellCheck={false}
        autoFocus={autoFocus}
        placeholder="<EntityDescriptor …"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <div className={styles.file}>
        <Button onClick={() => picker.current?.click()}>
          <Upload size={14} aria-hidden />
          Choose a file
        </Button>
        or drop it here
        <input
          ref={picker}
          type="file"
          accept=".xml,application/xml,text/xml,application/samlmetadata+xml"
          aria-label="Metadata file"
          onChange={(event) => void take(event.currentTarget.files?.[0])}
        />
      </div>
    </div>
  );
}
