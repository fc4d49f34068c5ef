import type { Tenant } from '@cspm/sdk';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changesOf } from '../../lib/changes.ts';
import { fieldErrors } from '../../lib/error-text.ts';
import { useAction } from '../../lib/use-action.ts';
import { LeavePrompt } from '../../parts/LeavePrompt.tsx';
import { useConflictQuestion } from '../../parts/use-conflict-question.tsx';
import { useKeptForm } from '../../parts/use-kept-form.ts';
import { identityQuery, useCan } from '../../queries.ts';
import { api } from '../../session.ts';
import { Badge, Button } from '../../ui/Button.tsx';
import { CopyId } from '../../ui/Copy.tsx';
import { FormFailure, TextField } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { Page } from '../../ui/Page.tsx';
import { Fact, Facts, Section, Sections } from '../../ui/Section.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Failure, Forbidden } from '../../ui/States.tsx';
import { toast } from '../../ui/Toasts.tsx';
import { DomainsSection } from './DomainsSection.tsx';
import styles from './TenantPage.module.css';

const tenantQuery = queryOptions({ queryKey: ['tenant'], queryFn: () => api.tenant.get() });

const FEATURE_TEXT: Record<Tenant['features'][number], string> = {
  sso: 'Single sign-on',
  custom_rules: 'Custom rules',
  audit_export: 'Export of the audit log',
};

/** Name, settings, licensed features and e-mail domains of the tenant. */
export function TenantPage() {
  const can = useCan();
  if (!can('admin.settings')) return <Forbidden permission="admin.settings" />;
  return <Settings />;
}

function Settings() {
  const tenant = useQuery(tenantQuery);
  return (
    <Page title="Tenant" subtitle="Settings for everybody in your tenant.">
      {tenant.isError && <Failure error={tenant.error} onRetry={() => void tenant.refetch()} />}
      {tenant.isPending && <Skeleton height={320} />}
      {tenant.data !== undefined && (
        <Sections>
          <Section title="General">
            <SettingsForm tenant={tenant.data} />
          </Section>
          <License tenant={tenant.data} />
          {tenant.data.features.includes('sso') && <DomainsSection />}
        </Sections>
      )}
    </Page>
  );
}

/** The members that the form changes. */
type Content = Pick<Tenant, 'name'> & Tenant['settings'];

/** The texts of the fields. */
type Draft = Readonly<Record<keyof Content, string>>;

const LABELS: Readonly<Record<keyof Content, string>> = {
  name: 'Name',
  inventoryMaxAgeHours: 'Maximum age of an inventory, in hours',
  muteDefaultDays: 'Duration of a mute, in days',
  allowedDomains: 'Own domains',
};

function contentOf({ name, settings }: Tenant): Content {
  const { inventoryMaxAgeHours, muteDefaultDays, allowedDomains } = settings;
  return { name, inventoryMaxAgeHours, muteDefaultDays, allowedDomains };
}

function draftOf({ inventoryMaxAgeHours, muteDefaultDays, ...rest }: Content): Draft {
  return {
    name: rest.name,
    inventoryMaxAgeHours: String(inventoryMaxAgeHours),
    muteDefaultDays: String(muteDefaultDays),
    allowedDomains: rest.allowedDomains.join('\n'),
  };
}

function contentIn({
  name,
  inventoryMaxAgeHours,
  muteDefaultDays,
  allowedDomains,
}: Draft): Content {
  return {
    name: name.trim(),
    inventoryMaxAgeHours: Number(inventoryMaxAgeHours),
    muteDefaultDays: Number(muteDefaultDays),
    allowedDomains: allowedDomains.split(/[\s,]+/).filter((one) => one !== ''),
  };
}

interface FormContent {
  readonly draft: Draft;
  /** What the person saw before they changed it. */
  readonly opened: Content;
}

function formOf(content: Content): FormContent {
  return { draft: draftOf(content), opened: content };
}

/** What the person changes. Data that is loaded again is shown as long as they have changed nothing. */
function useDraft(tenant: Tenant) {
  const [loaded, setLoaded] = useState(tenant);
  const changesIn = ({ draft, opened }: FormContent) => changesOf(opened, contentIn(draft));
  const form = useKeptForm(
    'tenant',
    formOf(contentOf(tenant)),
    (content) => Object.keys(changesIn(content)).length > 0,
  );
  const { content, setContent, isChanged } = form;
  const show = (present: Content) => setContent(formOf(present));
  if (loaded !== tenant) {
    setLoaded(tenant);
    if (!isChanged) show(contentOf(tenant));
  }
  const change = (draft: Draft) => setContent({ ...content, draft });
  return { ...form, ...content, changes: changesIn(content), change, show };
}

function SettingsForm({ tenant }: { readonly tenant: Tenant }) {
  const queryClient = useQueryClient();
  const { draft, change, opened, changes, isChanged, show, notice, forget } = useDraft(tenant);
  const load = () => queryClient.fetchQuery({ ...tenantQuery, staleTime: 0 });
  const save = useAction(async () => {
    const present = contentOf(await load());
    const content = merge(present);
    if (content === null) return;
    const { name, ...settings } = changesOf(present, content);
    const saved = await api.tenant.update({ ...(name === undefined ? {} : { name }), settings });
    show(contentOf(saved));
    queryClient.setQueryData(tenantQuery.queryKey, saved);
    toast('Settings saved');
    // The menu shows the name of the tenant.
    await queryClient.invalidateQueries({ queryKey: identityQuery.queryKey });
  });
  const { merge, question } = useConflictQuestion({
    noun: 'tenant',
    labels: LABELS,
    opened,
    changes,
    onDiscard: () => show(contentOf(tenant)),
    onSave: save.run,
  });
  const field = (name: keyof Content) => ({
    name: name === 'name' ? name : `settings.${name}`,
    label: LABELS[name],
    value: draft[name],
    readOnly: save.isBusy,
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      change({ ...draft, [name]: target.value }),
  });
  return (
    <Form className={styles.form} errors={fieldErrors(save.error)} onFormSubmit={() => save.run()}>
      {notice !== undefined && <p role="status">{notice}</p>}
      <TextField {...field('name')} maxLength={100} required />
      <TextField
        {...field('inventoryMaxAgeHours')}
        description="Preflight warns if an inventory is older."
        type="number"
        min={1}
        max={8760}
        required
      />
      <TextField
        {...field('muteDefaultDays')}
        description="Used if no end is given."
        type="number"
        min={1}
        max={3650}
        required
      />
      <TextField
        {...field('allowedDomains')}
        description="Rules treat members of these domains as your own. One domain a line."
        rows={3}
        mono
      />
      <FormFailure error={save.error} />
      <div className={styles.buttons}>
        <Button kind="primary" type="submit" busy={save.isBusy}>
          Save
        </Button>
      </div>
      {question}
      <LeavePrompt
        wouldLose={() => isChanged && !save.isBusy}
        title="Leave without saving?"
        confirm="Discard changes"
        onLeave={forget}
      >
        The changes to the tenant are not saved.
      </LeavePrompt>
    </Form>
  );
}

function License({ tenant: { id, features } }: { readonly tenant: Tenant }) {
  return (
    <Section title="License" text="The operator of this service sets the features.">
      <Facts>
        <Fact label="Tenant id">
          <CopyId id={id} label="Copy the tenant id" />
        </Fact>
        <Fact label="Features">
          {features.length === 0 ? (
            'None'
          ) : (
            <span className={styles.badges}>
              {features.map((feature) => (
                <Badge key={feature} tone="good">
                  {FEATURE_TEXT[feature]}
                </Badge>
              ))}
            </span>
          )}
        </Fact>
      </Facts>
    </Section>
  );
}
