import type { Role } from '@cspm/sdk';
import { Check, Ellipsis } from 'lucide-react';
import { Fragment } from 'react';
import { Button, Hidden } from '../../ui/Button.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { PERMISSION_GROUPS, PERMISSION_TEXT } from './permission-groups.ts';
import styles from './RolesPage.module.css';

interface MatrixProps {
  readonly roles: readonly Role[];
  readonly onEdit: (role: Role) => void;
  readonly onDelete: (role: Role) => void;
}

/** Permissions as rows, roles as columns. */
export function PermissionMatrix({ roles, onEdit, onDelete }: MatrixProps) {
  return (
    <section
      className={styles.frame}
      aria-label="Permissions of each role"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways needs the keyboard
      tabIndex={0}
    >
      <table className={styles.matrix}>
        <caption>
          <Hidden>Permissions of each role</Hidden>
        </caption>
        <thead>
          <tr>
            <td />
            {roles.map((role) => (
              <th key={role.name} scope="col">
                <RoleHead role={role} onEdit={onEdit} onDelete={onDelete} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {PERMISSION_GROUPS.map(({ title, permissions }) => (
            <Fragment key={title}>
              <tr className={styles.group}>
                <th scope="rowgroup" colSpan={roles.length + 1}>
                  {title}
                </th>
              </tr>
              {permissions.map((permission) => (
                <tr key={permission}>
                  <th scope="row">
                    {PERMISSION_TEXT[permission]}
                    <code>{permission}</code>
                  </th>
                  {roles.map((role) => (
                    <td key={role.name}>
                      <Cell has={role.permissions.includes(permission)} />
                    </td>
                  ))}
                </tr>
              ))}
            </Fragment>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Cell({ has }: { readonly has: boolean }) {
  return has ? (
    <>
      <Check size={16} className={styles.yes} aria-hidden />
      <Hidden>Yes</Hidden>
    </>
  ) : (
    <>
      <span className={styles.no} aria-hidden="true">
        –
      </span>
      <Hidden>No</Hidden>
    </>
  );
}

interface HeadProps extends Omit<MatrixProps, 'roles'> {
  readonly role: Role;
}

function RoleHead({ role, onEdit, onDelete }: HeadProps) {
  return (
    <span className={styles.role}>
      {role.name}
      {role.builtIn ? (
        <small>Built-in</small>
      ) : (
        <Menu
          align="end"
          trigger={
            <Button kind="quiet" square aria-label={`Actions for the role ${role.name}`}>
              <Ellipsis size={16} aria-hidden />
            </Button>
          }
          groups={[
            {
              items: [
                { label: 'Edit', onSelect: () => onEdit(role) },
                { label: 'Delete', danger: true, onSelect: () => onDelete(role) },
              ],
            },
          ]}
        />
      )}
    </span>
  );
}
