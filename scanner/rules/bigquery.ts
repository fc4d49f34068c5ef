import { cis } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { everyone, type PublicGrant, publicGrantsOf } from '../facts/public-grants.ts';
import { removeGrantsFrom } from '../fixes/remove-grants.ts';
import type { JsonValue } from '../json.ts';
import { isObject, items, type JsonObject, text } from '../json.ts';
import { failAll, PASS } from '../outcome.ts';
import type { Rule, Violation } from '../rule.ts';
import { combinedRule, passByPolicy } from '../rule-kinds.ts';
import { BIGQUERY_ENCRYPTION_RULES } from './bigquery-encryption.ts';
import { DATAPROC_RULES } from './dataproc.ts';

/*
 * Fields: bigquery v2, discovery revision 20261009.
 */

const bqDatasetPublic = combinedRule(
  {
    id: 'bq-dataset-public',
    title: 'BigQuery dataset is public',
    severity: 'critical',
    category: 'database',
    assetTypes: ['bigquery.googleapis.com/Dataset'],
    description:
      'A dataset that is shared with allUsers or allAuthenticatedUsers can be read, and with some roles changed, by anyone.',
    remediation:
      'Write the dataset to a file: `bq show --format=prettyjson PROJECT:DATASET > FILE`. Remove the entry from its access list, add specific people or groups, and load the file: `bq update --source=FILE PROJECT:DATASET`.',
    compliance: cis({ v4: '7.1', v5: '7.1' }),
    fix: (repair) => {
      const isPublic = (value: JsonValue | undefined) => everyone(value) !== null;
      removeGrantsFrom(repair, ({ member }) => isPublic(member), { isDescribed: false });
      repair.filterOut(
        '',
        ['access'],
        (entry) => isObject(entry) && (isPublic(entry.specialGroup) || isPublic(entry.iamMember)),
      );
      repair.command('bq show --format=json {project}:{dataset}', {}, ' > dataset.json');
      repair.fixedCommand(WITHOUT_PUBLIC_ENTRIES);
      repair.command('bq update --source=private.json {project}:{dataset}');
      repair.terraform('google_bigquery_dataset', 'access', null, {
        special_group: 'allAuthenticatedUsers',
      });
      repair.terraform('google_bigquery_dataset', 'access', null, { iam_member: 'allUsers' });
    },
  },
  (asset) => {
    const { data, iamPolicy } = asset;
    const grants = [
      ...(iamPolicy === null ? [] : publicGrantsOf(iamPolicy)),
      ...(data === null ? [] : publicEntriesOf(data)),
    ];
    const [first, ...more] = grants.map(violationOf);
    if (first !== undefined) return failAll(first, more);
    // The access list and the policy are two views of the same grants, so the access list alone suffices. A policy that
    // cannot be read may show a grant that the access list lacks.
    return iamPolicy === null && Array.isArray(data?.access) ? PASS : passByPolicy(asset);
  },
);

/** The members of an access list, without those for everyone. */
const WITHOUT_PUBLIC_ENTRIES = `jq '.access |= map(select((.specialGroup // .iamMember // "") | test("^all_?(authenticated_?)?users$"; "i") | not))' dataset.json > private.json`;

/** The basic roles of an access list and the IAM roles that they stand for. */
const IAM_ROLES: ReadonlyMap<string, string> = new Map([
  ['READER', 'roles/bigquery.dataViewer'],
  ['WRITER', 'roles/bigquery.dataEditor'],
  ['OWNER', 'roles/bigquery.dataOwner'],
]);

/** Maps entries to IAM roles, so a grant in both views is one finding with a stable identity across exports. */
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
    message: `${member} has ${role} on this dataset.`,
    evidence: [cite(path, member)],
  };
}

export const BIGQUERY_RULES: readonly Rule[] = [
  ...BIGQUERY_ENCRYPTION_RULES,
  ...DATAPROC_RULES,
  bqDatasetPublic,
];
