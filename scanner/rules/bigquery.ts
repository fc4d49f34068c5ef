import { cis } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { everyone, type PublicGrant, publicGrantsOf } from '../facts/public-grants.ts';
import { isObject, items, type JsonObject, text } from '../json.ts';
import { fail, PASS, unknown } from '../outcome.ts';
import type { Rule, Violation } from '../rule.ts';
import { combinedRule } from '../rule-kinds.ts';
import { BIGQUERY_ENCRYPTION_RULES } from './bigquery-encryption.ts';
import { DATAPROC_RULES } from './dataproc.ts';

const bqDatasetPublic = combinedRule(
  {
    id: 'bq-dataset-public',
    title: 'BigQuery dataset is public',
    severity: 'critical',
    category: 'database',
    assetTypes: ['bigquery.googleapis.com/Dataset'],
    description:
      'A dataset that is shared with allUsers or allAuthenticatedUsers can be read, and with some roles changed, by anyone in the world.',
    remediation:
      'Remove the entry from the access list of the dataset (bq update --source=FILE PROJECT:DATASET) and share it with named people or groups.',
    compliance: cis({ v4: '7.1', v5: '7.1' }),
  },
  ({ data, iamPolicy }) => {
    const grants = [
      ...(iamPolicy === null ? [] : publicGrantsOf(iamPolicy)),
      ...(data === null ? [] : publicEntriesOf(data)),
    ];
    const [first, ...more] = grants.map(violationOf);
    if (first !== undefined) return fail(first, ...more);
    // The access list and the policy are two views of the same grants: either one, empty of them, is enough to pass.
    return iamPolicy === null && !Array.isArray(data?.access) ? unknown('IAM_POLICY') : PASS;
  },
);

/** The basic roles of an access list and the IAM roles that they are names for. */
const IAM_ROLES: ReadonlyMap<string, string> = new Map([
  ['READER', 'roles/bigquery.dataViewer'],
  ['WRITER', 'roles/bigquery.dataEditor'],
  ['OWNER', 'roles/bigquery.dataOwner'],
]);

/** Entries under their IAM roles, so that a grant seen in both views is one finding, and stays it in later exports. */
function publicEntriesOf(dataset: JsonObject): readonly PublicGrant[] {
  return items(dataset, 'access').flatMap((entry, index) => {
    if (!isObject(entry)) return [];
    const role = text(entry, 'role') ?? '';
    const granted = IAM_ROLES.get(role.toUpperCase()) ?? role;
    return ['specialGroup', 'iamMember'].flatMap((field) => {
      const member = everyone(entry[field]);
      return member === null ? [] : [{ role: granted, member, path: `access[${index}].${field}` }];
    });
  });
}

function violationOf({ role, member, path }: PublicGrant): Violation {
  return {
    subject: `${role} ${member}`,
    message: `${member} holds ${role} on this dataset.`,
    evidence: [cite(path, member)],
  };
}

export const BIGQUERY_RULES: readonly Rule[] = [
  ...BIGQUERY_ENCRYPTION_RULES,
  ...DATAPROC_RULES,
  bqDatasetPublic,
];
