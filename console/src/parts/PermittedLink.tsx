import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Permission, useCan } from '../queries.ts';

interface PermittedLinkProps extends Omit<LinkProps, 'children'> {
  /** What the screen at the other end needs. */
  readonly permission: Permission;
  readonly className?: string | undefined;
  readonly title?: string;
  readonly 'aria-label'?: string;
  readonly 'data-level'?: string;
  readonly children: ReactNode;
}

/** The class names are those of a link. */
const PLAIN = { color: 'inherit', textDecoration: 'none' } as const;

/** A link to a screen. A person who may not open the screen gets its text alone. */
export function PermittedLink({ permission, children, ...props }: PermittedLinkProps) {
  const can = useCan();
  if (can(permission)) return <Link {...props}>{children}</Link>;
  const { className, title, 'data-level': level } = props;
  return (
    <span className={className} title={title} data-level={level} style={PLAIN}>
      {children}
    </span>
  );
}
