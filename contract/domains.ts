import { z } from 'zod';
import { wholeListOf } from './page.ts';
import { policy } from './policy.ts';
import { noBody, routes } from './route.ts';
import { text, timestamp } from './text.ts';

/** The prefix of the TXT record that proves a tenant's ownership of a domain. */
export const DOMAIN_RECORD_PREFIX = 'cspm-domain-verification=';

const domain = z
  .string()
  .describe('Lower case. An internationalized name must be in its ASCII form.')
  .meta({ example: 'example.com' });

export const Domain = z
  .object({
    domain,
    status: z
      .enum(['pending', 'verified'])
      .describe(
        '`verified`: the identity provider may sign in accounts that exist outside the tenant.',
      ),
    record: z
      .object({
        type: z.literal('TXT'),
        name: z.string().meta({ example: 'example.com' }),
        value: z
          .string()
          .meta({ example: `${DOMAIN_RECORD_PREFIX}q7Zk1v0Xc9Yb3Lw5Rt8Nj2Hs6Pd4Mf0Ga1Ue7Io3KxT` }),
      })
      .describe('The DNS record to add.'),
    createdAt: timestamp,
    verifiedAt: timestamp.nullable(),
  })
  .meta({ id: 'Domain', description: 'An e-mail domain of your tenant.' });

const administration = { auth: 'any', permission: 'admin.settings', feature: 'sso' } as const;
const pathParams = z.strictObject({
  // Lower case like the ids, so that the audit row of a refusal names the domain as that of a success does.
  domain: text(253).toLowerCase().describe('The domain name.').meta({ example: 'example.com' }),
});

export const domains = routes({
  list: {
    method: 'GET',
    path: '/tenant/domains',
    summary: 'List your e-mail domains',
    description: 'Returns all domains in one response, newest first.',
    responses: { 200: wholeListOf(Domain) },
    metadata: policy({ ...administration, idempotency: 'safe', tx: 'read', identity: true }),
  },
  create: {
    method: 'POST',
    path: '/tenant/domains',
    summary: 'Add an e-mail domain',
    description:
      'Returns the DNS record that proves ownership of the domain. Add the record, then call `POST /tenant/domains/{domain}/verify`. Each tenant must prove a domain separately. A tenant can have at most 50 domains; returns 409 if the limit is reached or the domain was already added.',
    body: z.strictObject({
      domain: text(253)
        .describe('The part of an address after the `@`. Subdomains are separate domains.')
        .meta({ example: 'example.com' }),
    }),
    responses: { 201: Domain },
    metadata: policy({
      ...administration,
      mfa: true,
      idempotency: 'accepted',
      audit: 'domain.added',
      tx: 'write',
      identity: true,
      body: 'json',
      problems: ['CONFLICT'],
    }),
  },
  verify: {
    method: 'POST',
    path: '/tenant/domains/:domain/verify',
    summary: 'Verify an e-mail domain',
    description:
      'Looks up the TXT records of the domain in the DNS. A domain stays verified until it is removed or a later call finds that the record is gone. Returns 409, and the domain stays verified, if the record is gone and no admin would remain whose membership is independent of the identity provider: add the record again, or invite such an admin first. The master key withdraws the verification nevertheless.',
    pathParams,
    body: noBody,
    responses: { 200: Domain },
    metadata: policy({
      ...administration,
      mfa: true,
      idempotency: 'natural',
      audit: 'domain.verified',
      tx: 'none',
      problems: ['NOT_FOUND', 'CONFLICT', 'DOMAIN_NOT_VERIFIED', 'SERVICE_UNAVAILABLE'],
    }),
  },
  delete: {
    method: 'DELETE',
    path: '/tenant/domains/:domain',
    summary: 'Remove an e-mail domain',
    description:
      'From the next sign-in on, the identity provider can no longer sign in accounts with addresses of this domain that exist outside the tenant. Returns 409 if no admin would remain whose membership is independent of the identity provider: invite one first. The master key may remove the domain nevertheless. Does not require the feature `sso`.',
    pathParams,
    responses: { 204: noBody },
    // Without the feature, like the removal of the provider.
    metadata: policy({
      auth: 'any',
      permission: 'admin.settings',
      mfa: true,
      idempotency: 'natural',
      audit: 'domain.removed',
      tx: 'write',
      identity: true,
      problems: ['NOT_FOUND', 'CONFLICT'],
    }),
  },
});
