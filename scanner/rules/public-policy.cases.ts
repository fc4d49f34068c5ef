import { assetOf, policyOf } from '../testing/asset.ts';
import type { RuleCase, RuleCases } from '../testing/rule-cases.ts';

/** The same cases for every rule that looks for everyone in the policy of an asset. */
const PLACES = [
  {
    rule: 'ar-repo-public',
    types: ['artifactregistry.googleapis.com/Repository'],
    role: 'roles/artifactregistry.reader',
  },
  {
    rule: 'fn-public',
    types: [
      'cloudfunctions.googleapis.com/CloudFunction',
      'cloudfunctions.googleapis.com/Function',
    ],
    role: 'roles/cloudfunctions.invoker',
  },
  {
    rule: 'image-public',
    types: ['compute.googleapis.com/Image'],
    role: 'roles/compute.imageUser',
  },
  {
    rule: 'snapshot-public',
    types: ['compute.googleapis.com/Snapshot'],
    role: 'roles/compute.storageAdmin',
  },
  { rule: 'run-public', types: ['run.googleapis.com/Service'], role: 'roles/run.invoker' },
  {
    rule: 'subscription-public',
    types: ['pubsub.googleapis.com/Subscription'],
    role: 'roles/pubsub.subscriber',
  },
  { rule: 'topic-public', types: ['pubsub.googleapis.com/Topic'], role: 'roles/pubsub.publisher' },
] as const;

export const PUBLIC_POLICY_CASES: readonly RuleCases[] = PLACES.map(({ rule, types, role }) => {
  const [type, ...otherTypes] = types;
  const granted = (name: string, of: string, ...bindings: readonly string[]): RuleCase => ({
    name,
    asset: assetOf({ type: of, iamPolicy: policyOf(...bindings) }),
  });
  return {
    rule,
    pass: [
      granted('a policy that names accounts', type, `${role} serviceAccount:a@b.example`),
      granted('a member that only sounds like it', type, `${role} user:allUsers`),
      { name: 'an empty policy', asset: assetOf({ type, iamPolicy: {} }) },
      { name: 'no bindings', asset: assetOf({ type, iamPolicy: { bindings: [] } }) },
    ],
    fail: [
      {
        ...granted(
          'one finding for each role and member',
          type,
          `${role} user:ada@example.com allUsers`,
          'roles/viewer allAuthenticatedUsers allUsers',
        ),
        findings: [
          { subject: `${role} allUsers` },
          { subject: 'roles/viewer allAuthenticatedUsers' },
          { subject: 'roles/viewer allUsers' },
        ],
      },
      granted('anyone with a Google account', type, `${role} allAuthenticatedUsers`),
      {
        name: 'a grant with a condition',
        asset: assetOf({
          type,
          data: {},
          iamPolicy: {
            bindings: [{ role, members: ['allUsers'], condition: { expression: 'true' } }],
          },
        }),
      },
      ...otherTypes.map((other) => granted(`an asset of type ${other}`, other, `${role} allUsers`)),
    ],
    na: 'never',
    unknown: [
      { name: 'an asset whose policy was not exported', asset: assetOf({ type, data: {} }) },
      { name: 'an asset of which only the name was exported', asset: assetOf({ type }) },
    ],
  };
});
