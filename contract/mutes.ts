import { z } from 'zod';
import { exactlyOneOf } from './exactly-one.ts';
import { FINDING_STATUSES, findingFilters, fingerprint } from './findings.ts';
import { pageOf, pageQuery } from './page.ts';
import { policy } from './policy.ts';
import { noBody, routes } from './route.ts';
import { Severity } from './severity.ts';
import { givenTime, id, projectName, text, timestamp } from './text.ts';

/**
 * Limits on mutes. Each finding is compared with the mutes of its rule, of its project, and of neither; these limits
 * bound the cost of a list. Mutes created before a limit was introduced are kept.
 */
export const MUTE_LIMITS = {
  /** Active mutes per tenant. */
  active: 10_000,
  /** Active mutes that name the same rule, or the same project and no rule, or neither. */
  perScope: 200,
  /** Wildcards (runs of `*`) in a pattern. */
  wildcards: 10,
  /** Findings in one bulk request: by ids, and by a filter. */
  bulkIds: 1_000,
  bulkMatches: 5_000,
} as const;

function wildcardsIn(pattern: string | undefined): number {
  return pattern?.match(/\*+/g)?.length ?? 0;
}

/** Selects the findings that match all given members. */
export const MuteSelector = z
  .strictObject({
    ruleId: text(100).optional().meta({ example: 'bucket-public' }),
    asset: text(500)
      .optional()
      .describe('The full name of an asset; `*` matches any characters.')
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
    description: 'Selects the findings that match all given members.',
  });

/** The finding that a mute names by its fingerprint. */
const MutedFinding = z.object({
  id,
  ruleId: z.string(),
  title: z.string(),
  severity: Severity,
  status: z.enum(FINDING_STATUSES),
  project: projectName,
  asset: z.object({ name: z.string(), type: z.string() }),
});

export const Mute = z
  .object({
    id,
    fingerprint: fingerprint.nullable(),
    finding: MutedFinding.nullable().describe(
      'The finding with this `fingerprint`. Null for a selector, if there is no such finding, and in the response to a caller without `findings.read`.',
    ),
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
    description: 'Marks findings as accepted until a given date.',
    example: {
      id: '0199c2a4-9b60-7d41-a3f2-58c1e7d90b36',
      fingerprint: null,
      finding: null,
      selector: { ruleId: 'bucket-public', asset: '//storage.googleapis.com/shop-static-*' },
      reason: 'A static site, public on purpose',
      expiresAt: '2027-02-18T08:00:00.000Z',
      createdBy: { id: '0199c2a4-51d2-7e02-8b0c-6f1d0c3a9e27', label: 'ada@example.com' },
      createdAt: '2026-11-20T08:00:00.000Z',
    },
  });

const reason = text(500)
  .describe('Why the finding is acceptable.')
  .meta({ example: 'A static site, public on purpose' });

const expiresAt = givenTime
  .optional()
  .describe(
    'A time in the future. If omitted, the mute ends after the number of days set for the tenant (90 by default).',
  );

export const BulkMute = z
  .object({
    matched: z.int().describe('Number of findings that were named or that match the filter.'),
    muted: z.int().describe('Number of mutes created.'),
    unchanged: z
      .int()
      .describe('Number of findings whose own mute already lasts at least as long.'),
    mutes: z.array(id).describe(`The ids of the created mutes, at most ${MUTE_LIMITS.bulkIds}.`),
    expiresAt: timestamp,
  })
  .meta({
    id: 'BulkMute',
    description: 'The result of muting many findings at once.',
    example: {
      matched: 3,
      muted: 2,
      unchanged: 1,
      mutes: ['0199c2a4-9b60-7d41-a3f2-58c1e7d90b36', '0199c2a4-9b60-7d41-a3f2-58c1e7d90b37'],
      expiresAt: '2027-02-18T08:00:00.000Z',
    },
  });

export const mutes = routes({
  list: {
    method: 'GET',
    path: '/mutes',
    summary: 'List mutes',
    description: 'Newest first. Includes expired mutes unless `active` is given.',
    query: z.strictObject({
      ...pageQuery,
      active: z
        .boolean()
        .optional()
        .describe('True: only active mutes. False: only expired mutes.'),
      finding: id
        .optional()
        .describe('Mutes that apply to the finding with this id: its own, and selectors.'),
    }),
    responses: { 200: pageOf(Mute) },
    metadata: policy({
      auth: 'any',
      permission: 'findings.read',
      idempotency: 'safe',
      tx: 'read',
      replica: true,
    }),
  },
  create: {
    method: 'POST',
    path: '/mutes',
    summary: 'Mute findings',
    description:
      'Mutes one finding by its fingerprint, or all findings that match a selector, including those of later scans. A mute changes no status: it is evaluated whenever findings are read, so creation, expiry and removal take effect immediately. Limits: 10,000 active mutes per tenant; 200 active selectors for the same rule, for the same project without a rule, or without both. Returns 409 beyond a limit.',
    body: z
      .strictObject({
        fingerprint: fingerprint.optional(),
        selector: MuteSelector.optional(),
        reason,
        expiresAt,
      })
      .refine(...exactlyOneOf('fingerprint', 'selector'))
      .refine((mute) => wildcardsIn(mute.selector?.asset) <= MUTE_LIMITS.wildcards, {
        path: ['selector', 'asset'],
        error: `must have at most ${MUTE_LIMITS.wildcards} wildcards (*)`,
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
      problems: ['CONFLICT'],
    }),
  },
  bulkCreate: {
    method: 'POST',
    path: '/mutes/bulk',
    summary: 'Mute many findings',
    description:
      'Mutes findings by their ids, or all findings that match a filter now, each with a mute of its own: findings of later scans are not muted (use a selector for these). All or nothing. Findings whose own mute lasts at least as long stay as they are, or without `expiresAt` those with any active mute of their own, so a repetition changes nothing. At most 1,000 ids, or 5,000 matches of a filter, which also requires `findings.read`; 10,000 active mutes per tenant. Returns 409 beyond a limit.',
    body: z
      .strictObject({
        findingIds: z.array(id).min(1).max(MUTE_LIMITS.bulkIds).optional(),
        filter: z
          .strictObject(findingFilters)
          .refine((filter) => Object.values(filter).some((value) => value !== undefined), {
            error: 'must have at least one member',
          })
          .optional()
          .describe('The filters of `GET /findings`.'),
        reason,
        expiresAt,
      })
      .refine(...exactlyOneOf('findingIds', 'filter'))
      .meta({
        example: {
          filter: { rule: ['bucket-public'], project: ['shop-prod'], status: ['open'] },
          reason: 'A static site, public on purpose',
          expiresAt: '2027-02-18T08:00:00.000Z',
        },
      }),
    responses: { 200: BulkMute },
    metadata: policy({
      auth: 'any',
      permission: 'findings.mute',
      idempotency: 'accepted',
      audit: 'mute.bulk_created',
      tx: 'write',
      body: 'json',
      problems: ['CONFLICT'],
    }),
  },
  delete: {
    method: 'DELETE',
    path: '/mutes/:id',
    summary: 'Delete a mute',
    description: 'Its findings are unmuted immediately.',
    pathParams: z.strictObject({ id: id.describe('The id of the mute.') }),
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
