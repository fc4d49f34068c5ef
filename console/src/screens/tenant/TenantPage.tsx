import type { Tenant } from '@cspm/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { fieldErrors } from '../../lib/error-text.ts';
import { useAction } from '../../lib/use-action.ts';
import { identityQuery, useCan } from '../../queries.ts';
import { api } from '../../session.ts';
import { Badge, Button } from '../../ui/Button.tsx';
import { CopyId } from '../../ui/Copy.tsx';
import { FormFailure, TextField } from '../../ui/Field.tsx';
import { Form, type FormValues } from '../../ui/Form.tsx';
import { Page } from '../../ui/Page.tsx';
import { Fact, Facts, Section, Sections } from '../../ui/Section.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Failure, Forbidden } from '../../ui/States.tsx';
import { toast } from '../../ui/Toasts.tsx';
import { DomainsSection } from './DomainsSection.tsx';
import styles from './TenantPage.module.css';

const KEY = ['tenant'];

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
  const tenant = useQuery({ queryKey: KEY, queryFn: () => api.tenant.get() });
  return (
    <Page title="Tenant" subtitle="Settings for everybody in your tenant.">
      {tenant.isError && <Failure error={tenant.error} onRetry={() => void tenant.refetch()} />}
      {tenant.isPending && <Skeleton height={320} />}
      {tenant.data !== undefined && (
        <Sections>
          <Section title="General">
            <SettingsForm key={JSON.stringify(tenant.data)} tenant={tenant.data} />
          </Section>
          <Licence tenant={tenant.data} />
          {tenant.data.features.includes('sso') && <DomainsSection />}
        </Sections>
      )}
    </Page>
  );
}

function SettingsForm({ tenant: { name, settings } }: { readonly tenant: Tenant }) {
  const queryClient = useQueryClient();
  const save = useAction(async (values: FormValues) => {
    await api.tenant.update({
      name: (values['name'] ?? '').trim(),
      settings: {
        inventoryMaxAgeHours: Number(values['settings.inventoryMaxAgeHours']),
        muteDefaultDays: Number(values['settings.muteDefaultDays']),
        allowedDomains: (values['settings.allowedDomains'] ?? '')
          .split(/[\s,]+/)
          .filter((one) => one !== ''),
      },
    });
    toast('Settings saved');
    await queryClient.invalidateQueries({ queryKey: KEY });
    // The menu shows the name of the tenant.
    await queryClient.invalidateQueries({ queryKey: identityQuery.queryKey });
  });
  return (
    <Form className={styles.form} errors={fieldErrors(save.error)} onFormSubmit={save.run}>
      <TextField name="name" label="Name" defaultValue={name} maxLength={100} required />
      <TextField
        name="settings.inventoryMaxAgeHours"
        label="Maximum age of an inventory, in hours"
        description="Preflight warns if an inventory is older."
        type="number"
        min={1}
        max={8760}
        defaultValue={String(settings.inventoryMaxAgeHours)}
        required
      />
      <TextField
        name="settings.muteDefaultDays"
        label="Duration of a mute, in days"
        description="Used if no end is given."
        type="number"
        min={1}
        max={3650}
        defaultValue={String(settings.muteDefaultDays)}
        required
      />
      <TextField
        name="settings.allowedDomains"
        label="Own domains"
        description="Rules treat members of these domains as your own. One domain a line."
        rows={3}
        mono
        defaultValue={settings.allowedDomains.join('\n')}
      />
      <FormFailure error={save.error} />
      <div className={styles.buttons}>
        <Button kind="primary" type="submit" busy={save.isBusy}>
          Save
        </Button>
      </div>
    </Form>
  );
}

function Licence({ tenant: { id, features } }: { readonly tenant: Tenant }) {
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
