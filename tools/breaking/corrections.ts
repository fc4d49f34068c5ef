import type { Change } from './change.ts';
import type { RuleId } from './rules.ts';

/** Changes that describe what the server of a release did already, although its document said something else. */
export interface Correction {
  /** The release whose document was wrong. */
  readonly release: string;
  readonly operation: string;
  /** The rule and the message of each change. */
  readonly changes: readonly (readonly [RuleId, string])[];
  /** What the server of the release did. */
  readonly reason: string;
}

const ONLY_PERSONS: Pick<Correction, 'release' | 'changes' | 'reason'> = {
  release: '0.1.0',
  changes: [
    ['credential-kind-dropped', 'global_api_key is no longer accepted.'],
    ['credential-kind-dropped', 'master_key is no longer accepted.'],
    [
      'request-parameter-removed',
      'The header parameter X-Break-Glass-Reason is no longer accepted.',
    ],
  ],
  reason:
    'The server of 0.1.0 refused every request with these credentials. X-Break-Glass-Reason belongs to the master key.',
};

/** The master key has a fixed set of permissions, and these operations require another one. */
const OUTSIDE_MASTER_KEY: Pick<Correction, 'release' | 'changes' | 'reason'> = {
  release: '0.1.0',
  changes: [
    [
      'request-parameter-removed',
      'The header parameter X-Break-Glass-Reason is no longer accepted.',
    ],
  ],
  reason:
    'The server of 0.1.0 refused every request with a master key, which never has the required permission. X-Break-Glass-Reason belongs to it.',
};

export const CORRECTIONS: readonly Correction[] = [
  { operation: 'POST /schedules', ...ONLY_PERSONS },
  { operation: 'POST /views', ...ONLY_PERSONS },
  ...[
    'GET /api-keys',
    'DELETE /api-keys/{id}',
    'GET /custom-rules',
    'POST /custom-rules',
    'GET /custom-rules/fields',
    'POST /custom-rules/test',
    'DELETE /custom-rules/{id}',
    'PUT /custom-rules/{id}',
    'POST /mutes',
    'POST /mutes/bulk',
    'DELETE /mutes/{id}',
    'POST /preflight',
    'GET /profiles',
    'POST /profiles',
    'DELETE /profiles/{name}',
    'PUT /profiles/{name}',
    'POST /projects',
    'DELETE /projects/{name}',
    'PATCH /projects/{name}',
    'PUT /projects/{name}/inventory',
    'POST /projects/{name}/inventory/pull',
    'GET /projects/{name}/inventory/pulls',
    'GET /projects/{name}/inventory/pulls/{id}',
    'DELETE /projects/{name}/source',
    'GET /projects/{name}/source',
    'PUT /projects/{name}/source',
    'POST /projects/{name}/source/check',
    'GET /rules',
    'GET /rules/{id}',
    'POST /scans',
    'POST /scans/{id}/cancel',
    'GET /schedules',
    'DELETE /schedules/{id}',
    'GET /schedules/{id}',
    'PUT /schedules/{id}',
  ].map((operation): Correction => ({ operation, ...OUTSIDE_MASTER_KEY })),
];

/** @returns the correction that the change is a part of, given the release whose document was the base. */
export function correctionOf(change: Change, release: string): Correction | undefined {
  return CORRECTIONS.find(
    (correction) =>
      correction.release === release &&
      correction.operation === change.operation &&
      correction.changes.some(
        ([rule, message]) => rule === change.rule && message === change.message,
      ),
  );
}
