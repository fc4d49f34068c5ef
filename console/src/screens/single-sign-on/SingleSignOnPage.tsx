import type { SamlSettings } from '@cspm/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { KeySquare } from 'lucide-react';
import { useState } from 'react';
import { takeLostFocus } from '../../lib/take-lost-focus.ts';
import { useCan, useIdentity } from '../../queries.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyId } from '../../ui/Copy.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { FormError } from '../../ui/Field.tsx';
import { Page } from '../../ui/Page.tsx';
import { Fact, Facts, Section, Sections } from '../../ui/Section.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { EmptyState, Failure, Forbidden } from '../../ui/States.tsx';
import { Time } from '../../ui/Time.tsx';
import { toast } from '../../ui/Toasts.tsx';
import { ProviderForm } from './ProviderForm.tsx';
import styles from './SingleSignOnPage.module.css';
import { settingsQuery } from './settings-query.ts';

/** The SAML identity provider of the tenant. */
export function SingleSignOnPage() {
  const can = useCan();
  const { tenant } = useIdentity();
  if (!can('admin.settings')) return <Forbidden permission="admin.settings" />;
  if (tenant.features.includes('sso')) return <Provider />;
  return (
    <Page title="Single sign-on">
      <EmptyState
        icon={<KeySquare size={28} strokeWidth={1.4} aria-hidden />}
        title="Single sign-on is not part of your license"
      >
        <p>
          With it, people sign in with SAML through your identity provider. Ask the operator of this
          service.
        </p>
      </EmptyState>
    </Page>
  );
}

function Provider() {
  const can = useCan();
  const queryClient = useQueryClient();
  /** Undefined: the form has not been finished or cancelled yet. */
  const [isEditing, setEditing] = useState<boolean>();
  const [isDeleting, setDeleting] = useState(false);
  /** How often the form was finished: it then begins again. */
  const [forms, setForms] = useState(0);
  const settings = useQuery(settingsQuery);
  const reload = () => queryClient.invalidateQueries({ queryKey: settingsQuery.queryKey });
  const { data } = settings;
  const canChange = can('admin.users');
  return (
    <Page title="Single sign-on" subtitle="People sign in with SAML 2.0 at your identity provider.">
      {settings.isPending && <Skeleton height={320} />}
      {settings.isError && (
        <Failure error={settings.error} onRetry={() => void settings.refetch()} />
      )}
      {data !== undefined && (
        <Sections>
          {data === null ? <OwnMetadata /> : <ServiceProvider {...data.serviceProvider} />}
          {(data === null || isEditing) && canChange && (
            <Section
              title="Identity provider"
              text="Every change resets the links of accounts and notifies all administrators by mail."
            >
              <ProviderForm
                key={forms}
                settings={data}
                onCancel={data === null ? undefined : () => setEditing(false)}
                onDone={async (isShown) => {
                  if (isShown) setEditing(false);
                  await reload();
                  if (isShown) setForms(forms + 1);
                }}
              />
            </Section>
          )}
          {data === null && !canChange && (
            <EmptyState title="There is no identity provider">
              <p>Only a person who also manages people can set one.</p>
            </EmptyState>
          )}
          {data !== null && !isEditing && (
            <Current
              settings={data}
              canChange={canChange}
              takesFocus={isEditing === false}
              onEdit={() => setEditing(true)}
              onDelete={() => setDeleting(true)}
            />
          )}
        </Sections>
      )}
      <ConfirmDialog
        open={isDeleting}
        title="Delete the identity provider?"
        confirm="Delete"
        danger
        onClose={() => setDeleting(false)}
        onConfirm={async () => {
          await api.saml.deleteSettings();
          await reload();
          toast('Identity provider deleted');
        }}
      >
        Sign-in through the provider stops, and the sessions that it opened end. Accounts are kept.
        All administrators are notified by mail.
      </ConfirmDialog>
    </Page>
  );
}

interface CurrentProps {
  readonly settings: SamlSettings;
  readonly canChange: boolean;
  /** It stands where a form was. */
  readonly takesFocus: boolean;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}

function Current({ settings, canChange, takesFocus, onEdit, onDelete }: CurrentProps) {
  return (
    <Section
      title="Identity provider"
      text={
        <>
          Set <Time at={settings.createdAt} />
        </>
      }
      actions={
        canChange && (
          <>
            <Button ref={takesFocus ? takeLostFocus : undefined} onClick={onEdit}>
              Replace
            </Button>
            <Button onClick={onDelete}>Delete</Button>
          </>
        )
      }
    >
      <Facts>
        <Fact label="Entity id">
          <CopyId id={settings.entityId} label="Copy the entity id of the provider" />
        </Fact>
        <Fact label="Sign-in URL">
          <CopyId id={settings.ssoUrl} label="Copy the sign-in URL of the provider" />
        </Fact>
        <Fact label="Certificates">{settings.certificates.length}</Fact>
        <Fact label="E-mail domains">{settings.emailDomains.join(', ')}</Fact>
        <Fact label="Default role for new members">{settings.defaultRole}</Fact>
      </Facts>
      <p>
        Verify the domains under{' '}
        <Link to="/tenant" className={styles.link}>
          Tenant
        </Link>
        . Until then the provider can sign in only accounts that it created.
      </p>
    </Section>
  );
}

/** The values for the provider before there is one: many providers need them before they give out their metadata. */
function OwnMetadata() {
  const { tenant } = useIdentity();
  const own = useQuery({
    queryKey: [...settingsQuery.queryKey, 'own-metadata'],
    queryFn: () => loadOwnMetadata(tenant.id),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (own.data !== undefined) return <ServiceProvider {...own.data} />;
  if (own.isPending) return <Skeleton height={160} />;
  return (
    <FormError>
      The values for your identity provider could not be loaded.{' '}
      <Button onClick={() => void own.refetch()}>Try again</Button>
    </FormError>
  );
}

/** Reads the SAML metadata of this service, which exists without a provider too. */
async function loadOwnMetadata(tenantId: string): Promise<ServiceProviderProps> {
  const response = await fetch(`/auth/saml/metadata?tenant=${tenantId}`);
  // For text that is no XML, the parser makes a document with inline styles, which the policy reports as violations.
  if (!response.ok) throw new Error(`The metadata was answered with HTTP ${response.status}`);
  const metadata = new DOMParser().parseFromString(await response.text(), 'application/xml');
  const entityId = metadata.documentElement.getAttribute('entityID');
  const [service] = metadata.getElementsByTagNameNS('*', 'AssertionConsumerService');
  const acsUrl = service?.getAttribute('Location') ?? null;
  if (entityId === null || acsUrl === null) throw new Error('The service has no SAML metadata');
  // The metadata is served at the entity id (SAML 2.0 Metadata §4.1).
  return { entityId, acsUrl, metadataUrl: entityId };
}

type ServiceProviderProps = Pick<
  SamlSettings['serviceProvider'],
  'entityId' | 'acsUrl' | 'metadataUrl'
> &
  Partial<SamlSettings['serviceProvider']>;

function ServiceProvider({ entityId, acsUrl, metadataUrl, loginUrl }: ServiceProviderProps) {
  return (
    <Section title="Values for your identity provider" text="Enter these at the provider.">
      <Facts>
        <Fact label="Entity id">
          <CopyId id={entityId} label="Copy the entity id of this service" />
        </Fact>
        <Fact label="ACS URL">
          <CopyId id={acsUrl} label="Copy the ACS URL" />
        </Fact>
        <Fact label="Metadata">
          <CopyId id={metadataUrl} label="Copy the metadata URL" />
        </Fact>
        {loginUrl !== undefined && (
          <Fact label="Sign-in link">
            <CopyId id={loginUrl} label="Copy the sign-in link for people" />
          </Fact>
        )}
      </Facts>
    </Section>
  );
}
