import type { Role } from '@cspm/sdk';
import { Check, Ellipsis } from 'lucide-react';
import { Fragment, memo, useRef } from 'react';
import { scaled } from '../../lib/scaled.ts';
import { useFixedRows } from '../../lib/use-fixed-rows.ts';
import { Button, Hidden } from '../../ui/Button.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { PERMISSION_GROUPS, PERMISSION_TEXT } from './permission-groups.ts';
import styles from './RolesPage.module.css';

interface MatrixProps {
  readonly roles: readonly Role[];
  readonly onEdit: (role: Role) => void;
  readonly onDelete: (role: Role) => void;
}

/** The least width of a column, in pixels. */
const COLUMN_WIDTH = scaled(140);
/** Columns rendered beside those that are visible. */
const OVERSCAN = 3;

/**
 * Permissions as rows, roles as columns. A tenant can have hundreds of roles, so only the columns that are near the visible
 * part are rendered. Empty cells stand for the others.
 */
export const PermissionMatrix = memo(function PermissionMatrix(props: MatrixProps) {
  const { roles, onEdit, onDelete } = props;
  const scroller = useRef<HTMLElement>(null);
  const { first, end } = useFixedRows(scroller, {
    count: roles.length,
    height: COLUMN_WIDTH,
    overscan: OVERSCAN,
    isSideways: true,
  });
  const shown = roles.slice(first, end);
  const before = first > 0 && <td aria-hidden="true" />;
  const after = end < roles.length && <td aria-hidden="true" />;
  const isPart = before || after;
  const column = (index: number) => (isPart ? first + index + 2 : undefined);
  return (
    <section
      ref={scroller}
      className={styles.frame}
      aria-label="Permissions of each role"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways needs the keyboard
      tabIndex={0}
    >
      <table
        className={styles.matrix}
        style={{ minWidth: `calc(var(--labels) + ${roles.length * COLUMN_WIDTH}px)` }}
        aria-colcount={isPart ? roles.length + 1 : undefined}
      >
        <caption>
          <Hidden>Permissions of each role</Hidden>
        </caption>
        <colgroup>
          <col className={styles.labels} />
          {before && <col style={{ width: first * COLUMN_WIDTH }} />}
          {shown.map(({ name }) => (
            <col key={name} />
          ))}
          {after && <col style={{ width: (roles.length - end) * COLUMN_WIDTH }} />}
        </colgroup>
        <thead>
          <tr>
            <td />
            {before}
            {shown.map((role, index) => (
              <th key={role.name} scope="col" aria-colindex={column(index)}>
                <RoleHead role={role} onEdit={onEdit} onDelete={onDelete} />
              </th>
            ))}
            {after}
          </tr>
        </thead>
        <tbody>
          {PERMISSION_GROUPS.map(({ title, permissions }) => (
            <Fragment key={title}>
              <tr className={styles.group}>
                <th
                  scope="rowgroup"
                  colSpan={shown.length + 1 + (before ? 1 : 0) + (after ? 1 : 0)}
                >
                  <span>{title}</span>
                </th>
              </tr>
              {permissions.map((permission) => (
                <tr key={permission}>
                  <th scope="row">
                    {PERMISSION_TEXT[permission]}
                    <code>{permission}</code>
                  </th>
                  {before}
                  {shown.map((role, index) => (
                    <td key={role.name} aria-colindex={column(index)}>
                      <Cell has={role.permissions.includes(permission)} />
                    </td>
                  ))}
                  {after}
                </tr>
              ))}
            </Fragment>
          ))}
        </tbody>
      </table>
    </section>
  );
});

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
