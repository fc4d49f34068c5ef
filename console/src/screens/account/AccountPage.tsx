import { useCan, useIdentity } from '../../queries.ts';
import { Badge } from '../../ui/Button.tsx';
import { CopyId } from '../../ui/Copy.tsx';
import { Page } from '../../ui/Page.tsx';
import { Fact, Facts, Section, Sections } from '../../ui/Section.tsx';
import { NotificationsSection } from './NotificationsSection.tsx';
import { PasswordSection } from './PasswordSection.tsx';
import { SessionsSection } from './SessionsSection.tsx';
import { TwoFactorSection } from './TwoFactorSection.tsx';

/** The own account: profile, e-mails, password, second factor, sessions. */
export function AccountPage() {
  const can = useCan();
  return (
    <Page title="Your account" subtitle="Your account is the same in all your tenants.">
      <Sections>
        <Profile />
        {can('findings.read') && <NotificationsSection />}
        <PasswordSection />
        <TwoFactorSection />
        <SessionsSection />
      </Sections>
    </Page>
  );
}

function Profile() {
  const { user, tenant, role } = useIdentity();
  if (user === null) return null;
  return (
    <Section title="Profile" text="An administrator of the tenant can change your role.">
      <Facts>
        <Fact label="Name">{user.name ?? 'Not set'}</Fact>
        <Fact label="E-mail">
          {user.email} {user.emailVerified && <Badge tone="good">Confirmed</Badge>}
        </Fact>
        <Fact label="Tenant">{tenant.name}</Fact>
        <Fact label="Role">{role}</Fact>
        <Fact label="User id">
          <CopyId id={user.id} label="Copy your user id" />
        </Fact>
      </Facts>
    </Section>
  );
}
