import { useNavigate } from '@tanstack/react-router';
import { Building2, Check, ChevronsUpDown } from 'lucide-react';
import { useIdentity } from '../queries.ts';
import { signOut } from '../session.ts';
import { Hidden } from '../ui/Button.tsx';
import { Menu } from '../ui/Menu.tsx';
import { leaveSession } from './LeaveSessionQuestion.tsx';
import styles from './Shell.module.css';

/** Shows the tenant and switches to another. A session belongs to one tenant, so switching signs in again. */
export function TenantMenu() {
  const { tenant, role, user, memberships } = useIdentity();
  const navigate = useNavigate();
  const switchTo = async (tenantId: string) => {
    await signOut();
    await navigate({ to: '/sign-in', search: { tenant: tenantId, email: user?.email } });
  };
  const items = memberships.map(({ tenantId, tenantName, role: theirRole }) => ({
    label: tenantName,
    hint: theirRole,
    icon:
      tenantId === tenant.id ? (
        <Check size={15} aria-hidden />
      ) : (
        <Building2 size={15} aria-hidden />
      ),
    onSelect: () => {
      if (tenantId !== tenant.id) leaveSession('Switch tenant', () => switchTo(tenantId));
    },
  }));
  return (
    <Menu
      trigger={
        <button type="button" className={styles.tenant}>
          <img src={`${import.meta.env.BASE_URL}icon.svg`} width={28} height={28} alt="" />
          <span className={styles.tenantName}>
            <span>
              <Hidden>Tenant </Hidden>
              {tenant.name}
            </span>
            <small>{role}</small>
          </span>
          <ChevronsUpDown size={14} aria-hidden />
        </button>
      }
      groups={[
        {
          label: memberships.length > 1 ? 'Switch tenant (asks for your password)' : 'Your tenant',
          items,
        },
      ]}
    />
  );
}
