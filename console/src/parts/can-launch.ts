import type { Permission } from '../queries.ts';

/** Whether the person can launch a scan: they choose among the projects that they may read. */
export const canLaunch = (can: (permission: Permission) => boolean): boolean =>
  can('scans.launch') && can('projects.read');
