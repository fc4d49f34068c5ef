import type { Identity } from '@cspm/sdk';
import type { LinkProps } from '@tanstack/react-router';
import {
  BellOff,
  BookOpenCheck,
  Boxes,
  Building2,
  CalendarClock,
  Code,
  Gauge,
  KeyRound,
  KeySquare,
  ListChecks,
  type LucideIcon,
  Radar,
  ScrollText,
  ShieldAlert,
  SlidersHorizontal,
  UserCog,
  UserRound,
  Users,
  Webhook,
} from 'lucide-react';

type Permission = Identity['permissions'][number];

export interface NavigationItem {
  readonly label: string;
  readonly to: NonNullable<LinkProps['to']>;
  readonly icon: LucideIcon;
  /** Left out: everybody sees it. */
  readonly permission?: Permission;
  /** The second key of its shortcut: `f` stands for `g f`. */
  readonly key?: string;
}

export interface NavigationGroup {
  /** Null: the first group, which needs no heading. */
  readonly title: string | null;
  readonly items: readonly NavigationItem[];
}

/** The navigation on the left, which the command palette offers too. A new screen adds its line here. */
export const NAVIGATION: readonly NavigationGroup[] = [
  {
    title: null,
    items: [
      { label: 'Dashboard', to: '/', icon: Gauge, permission: 'findings.read', key: 'd' },
      {
        label: 'Findings',
        to: '/findings',
        icon: ShieldAlert,
        permission: 'findings.read',
        key: 'f',
      },
      {
        label: 'Compliance',
        to: '/compliance',
        icon: BookOpenCheck,
        permission: 'scans.read',
        key: 'c',
      },
      { label: 'Scans', to: '/scans', icon: Radar, permission: 'scans.read', key: 's' },
      {
        label: 'Schedules',
        to: '/schedules',
        icon: CalendarClock,
        permission: 'scans.launch',
        key: 'h',
      },
      { label: 'Projects', to: '/projects', icon: Boxes, permission: 'projects.read', key: 'p' },
      { label: 'Mutes', to: '/mutes', icon: BellOff, permission: 'findings.read', key: 'm' },
    ],
  },
  {
    title: 'Policy',
    items: [
      { label: 'Rules', to: '/rules', icon: ListChecks, permission: 'rules.read', key: 'r' },
      {
        label: 'Custom rules',
        to: '/custom-rules',
        icon: Code,
        permission: 'rules.read',
        key: 'e',
      },
      {
        label: 'Profiles',
        to: '/profiles',
        icon: SlidersHorizontal,
        permission: 'rules.read',
        key: 'l',
      },
    ],
  },
  {
    title: 'Administration',
    items: [
      { label: 'People', to: '/people', icon: Users, permission: 'admin.users', key: 'u' },
      { label: 'Roles', to: '/roles', icon: UserCog, permission: 'admin.users', key: 'o' },
      { label: 'API keys', to: '/api-keys', icon: KeyRound, permission: 'keys.own', key: 'k' },
      { label: 'Tenant', to: '/tenant', icon: Building2, permission: 'admin.settings', key: 't' },
      {
        label: 'Single sign-on',
        to: '/single-sign-on',
        icon: KeySquare,
        permission: 'admin.settings',
        key: 'i',
      },
      { label: 'Webhooks', to: '/webhooks', icon: Webhook, permission: 'admin.settings', key: 'w' },
      {
        label: 'Audit log',
        to: '/audit-log',
        icon: ScrollText,
        permission: 'admin.audit',
        key: 'a',
      },
    ],
  },
  {
    title: 'You',
    items: [{ label: 'Your account', to: '/account', icon: UserRound, key: 'y' }],
  },
];
