import { z } from 'zod';
import { policy } from './policy.ts';
import { routes } from './route.ts';

/** When a person gets e-mails about new findings. */
export const DIGESTS = ['off', 'immediate', 'daily', 'weekly'] as const;

const digest = z
  .enum(DIGESTS)
  .describe(
    '`off`: no e-mails. `immediate`: one e-mail for each scan. `daily`: one e-mail for the scans of a day, at 07:00 UTC. `weekly`: one e-mail for the scans of a week, on Mondays at 07:00 UTC.',
  )
  .meta({ example: 'daily' });

export const Notifications = z.object({ digest }).meta({
  id: 'Notifications',
  description: 'Which e-mails a person gets about new critical and high findings of the tenant.',
  example: { digest: 'daily' },
});

export const notifications = routes({
  get: {
    method: 'GET',
    path: '/auth/me/notifications',
    summary: 'Get your e-mail notifications',
    description: 'Returns your setting in this tenant. It is `off` until you change it.',
    responses: { 200: Notifications },
    metadata: policy({
      auth: 'person',
      permission: 'findings.read',
      idempotency: 'safe',
      tx: 'read',
    }),
  },
  update: {
    method: 'PUT',
    path: '/auth/me/notifications',
    summary: 'Change your e-mail notifications',
    description:
      'E-mails list new and reopened findings with the severity critical or high that are not muted. They go to your confirmed address while you may read findings. Each has a link to unsubscribe. `off` also drops what was not sent yet.',
    body: z.strictObject({ digest }).meta({ example: { digest: 'daily' } }),
    responses: { 200: Notifications },
    metadata: policy({
      auth: 'person',
      permission: 'findings.read',
      idempotency: 'natural',
      audit: 'notifications.updated',
      tx: 'write',
      body: 'json',
    }),
  },
});
