import { z } from 'zod';
import { pageOf, pageQuery } from './page.ts';
import { policy } from './policy.ts';
import { noBody, routes } from './route.ts';
import { id, projectName, text, timestamp } from './text.ts';

const fingerprint = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'must be the fingerprint of a finding: 64 lower-case hex digits')
  .meta({ example: '3b1f0c5f6c2f8d1f7a9be5a4c0d2e6f8901a2b3c4d5e6f708192a3b4c5d6e7f8' });

/** What a mute applies to: whatever fits all that is said. */
export const MuteSelector = z
  .strictObject({
    ruleId: text(100).optional().meta({ example: 'bucket-public' }),
    asset: text(500)
      .optional()
      .describe('The full name of an asset; `*` stands for any characters.')
      .meta({ example: '//storage.googleapis.com/shop-static-*' }),
    project: projectName.optional(),
    label: text(200)
      .regex(/^[^=]{1,63}(=.{0,63})?$/, 'must be a label: key, or key=value')
      .optional()
      .describe('A label of the asset: `key`, or `key=value`.')
      .meta({ example: 'env=test' }),
  })
  .refine((selector) => Object.values(selector).some((value) => value !== undefined), {
    error: 'must name at least one of ruleId, asset, project and label',
  })
  .meta({
    id: 'MuteSelector',
    description: 'Which findings a mute applies to: those that fit all that is said.',
  });

export const Mute = z
  .object({
    id,
    fingerprint: fingerprint.nullable(),
    selector: MuteSelector.nullable(),
    reason: z.string().meta({ example: 'A static site, public on purpose' }),
    expiresAt: timestamp,
    createdBy: z.object({
      id: id.nullable(),
      label: z.string().meta({ example: 'ada@example.com' }),
    }),
    createdAt: timestamp,
  })
  .meta({
    id: 'Mute',
    description: 'Findings that somebody has decided to live with, until a day.',
    example: {
      id: '0199c2a4-9b60-7d41-a3f2-58c1e7d90b36',
      fingerprint: null,
      selector: { ruleId: 'bucket-public', asset: '//storage.googleapis.com/shop-static-*' },
      reason: 'A static site, public on purpose',
      expiresAt: '2027-02-18T08:00:00.000Z',
      createdBy: { id: '0199c2a4-51d2-7e02-8b0c-6f1d0c3a9e27', label: 'ada@example.com' },
      createdAt: '2026-11-20T08:00:00.000Z',
    },
  });

export const mutes = routes({
  list: {
    method: 'GET',
    path: '/mutes',
    summary: 'List mutes',
    description: 'Newest first, those that have expired included unless `active` says otherwise.',
    query: z.strictObject({
      ...pageQuery,
      active: z
        .boolean()
        .optional()
        .describe('Only those in force, or only those that have expired.'),
    }),
    responses: { 200: pageOf(Mute) },
    metadata: policy({ auth: 'any', permission: 'findings.read', idempotency: 'safe', tx: 'read' }),
  },
  create: {
    method: 'POST',
    path: '/mutes',
    summary: 'Mute findings',
    description:
      'One finding by its fingerprint, or all that fit a selector, those of later scans included. A mute changes no status: it is looked up whenever findings are read, so it begins, ends and is lifted at once.',
    body: z
      .strictObject({
        fingerprint: fingerprint.optional(),
        selector: MuteSelector.optional(),
        reason: text(500)
          .describe('Why this may stay as it is.')
          .meta({ example: 'A static site, public on purpose' }),
        expiresAt: timestamp
          .optional()
          .describe(
            'In the future. Left out: after the days that the tenant has set, 90 at first.',
          ),
      })
      .refine((mute) => (mute.fingerprint === undefined) !== (mute.selector === undefined), {
        error: 'must have either a fingerprint or a selector',
      })
      .meta({
        example: {
          selector: { ruleId: 'bucket-public', asset: '//storage.googleapis.com/shop-static-*' },
          reason: 'A static site, public on purpose',
          expiresAt: '2027-02-18T08:00:00.000Z',
        },
      }),
    responses: { 201: Mute },
    metadata: policy({
      auth: 'any',
      permission: 'findings.mute',
      idempotency: 'accepted',
      audit: 'mute.created',
      tx: 'write',
      body: 'json',
    }),
  },
  delete: {
    method: 'DELETE',
    path: '/mutes/:id',
    summary: 'Lift a mute',
    description: 'Its findings count again at once.',
    pathParams: z.strictObject({ id: id.describe('The mute.') }),
    responses: { 204: noBody },
    metadata: policy({
      auth: 'any',
      permission: 'findings.mute',
      idempotency: 'natural',
      audit: 'mute.deleted',
      tx: 'write',
      problems: ['NOT_FOUND'],
    }),
  },
});
