import { z } from 'zod';
import { FEATURES } from './features.ts';
import { policy } from './policy.ts';
import { routes } from './route.ts';
import { displayName, id } from './text.ts';

const inventoryMaxAgeHours = z
  .int()
  .min(1)
  .max(8760)
  .describe('Preflight warns if an inventory is older than this number of hours. Default 24.')
  .meta({ example: 24 });
const muteDefaultDays = z
  .int()
  .min(1)
  .max(3650)
  .describe('Number of days that a finding is muted if no end is given. Default 90.')
  .meta({ example: 90 });
const allowedDomains = z
  .array(
    z
      .string()
      .max(253)
      .regex(
        /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/,
        'must be a domain name in lower case',
      ),
  )
  .max(100)
  .describe('Domains that rules treat as your own. Default none.')
  .meta({ example: ['example.com'] });

export const TenantSettings = z
  .object({ inventoryMaxAgeHours, muteDefaultDays, allowedDomains })
  .meta({
    id: 'TenantSettings',
    description: 'Settings of the tenant, controlled by its administrators.',
  });

export const Tenant = z
  .object({
    id,
    name: z.string().meta({ example: 'Example Ltd' }),
    features: z.array(z.enum(FEATURES)),
    settings: TenantSettings,
    googlePrincipalPrefix: z
      .string()
      .describe(
        'The service impersonates service accounts of Google Cloud for you only if their names begin with this.',
      )
      .meta({ example: 'cspm-5f2c19a0d3e84b67' }),
  })
  .meta({ id: 'Tenant', description: 'Your tenant.' });

export const tenant = routes({
  get: {
    method: 'GET',
    path: '/tenant',
    summary: 'Get your tenant',
    description: 'Returns the tenant of the credential, its licensed features and its settings.',
    responses: { 200: Tenant },
    metadata: policy({ auth: 'any', idempotency: 'safe', tx: 'read', identity: true }),
  },
  update: {
    method: 'PATCH',
    path: '/tenant',
    summary: 'Change your tenant',
    description: 'Omitted members keep their value.',
    body: z.strictObject({
      name: displayName(100).optional().meta({ example: 'Example Ltd' }),
      settings: z
        .strictObject({
          inventoryMaxAgeHours: inventoryMaxAgeHours.optional(),
          muteDefaultDays: muteDefaultDays.optional(),
          allowedDomains: allowedDomains.optional(),
        })
        .optional(),
    }),
    responses: { 200: Tenant },
    metadata: policy({
      auth: 'any',
      permission: 'admin.settings',
      mfa: true,
      idempotency: 'natural',
      audit: 'tenant.updated',
      tx: 'write',
      identity: true,
      body: 'json',
    }),
  },
});
