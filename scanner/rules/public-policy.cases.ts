import type { JsonObject } from '../json.ts';
import { assetOf, policyOf } from '../testing/asset.ts';
import type { RuleCase, RuleCases } from '../testing/rule-cases.ts';

interface Place {
  readonly rule: string;
  readonly types: readonly [string, ...string[]];
  readonly role: string;
  /** Resources that are open to everyone regardless of their policy. */
  readonly unchecked?: readonly JsonObject[];
}

/** Shared cases of all rules that look for public members in the policy of an asset. */
const PLACES: readonly Place[] = [
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
  {
    rule: 'run-public',
    types: ['run.googleapis.com/Service'],
    role: 'roles/run.invoker',
    unchecked: [
      { invokerIamDisabled: true },
      { metadata: { annotations: { 'run.googleapis.com/invoker-iam-disabled': 'true' } } },
    ],
  },
  {
    rule: 'subscription-public',
    types: ['pubsub.googleapis.com/Subscription'],
    role: 'roles/pubsub.subscriber',
  },
  { rule: 'topic-public', types: ['pubsub.googleapis.com/Topic'], role: 'roles/pubsub.publisher' },
];

export const PUBLIC_POLICY_CASES: readonly RuleCases[] = PLACES.map((place) => {
  const { rule, types, role, unchecked = [] } = place;
  // Whether the rule reads the resource, too.
  const content = unchecked.length > 0 ? { data: {} } : {};
  const [type, ...otherTypes] = types;
  const granted = (name: string, of: string, ...bindings: readonly string[]): RuleCase => ({
    name,
    asset: assetOf({ type: of, iamPolicy: policyOf(...bindings), ...content }),
  });
  return {
    rule,
    pass: [
      granted('a policy that names accounts', type, `${role} serviceAccount:a@b.example`),
      granted('a member that only sounds like it', type, `${role} user:allUsers`),
      { name: 'an empty policy', asset: assetOf({ type, iamPolicy: {}, ...content }) },
      { name: 'no bindings', asset: assetOf({ type, iamPolicy: { bindings: [] }, ...content }) },
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
      ...unchecked.flatMap((data) => [
        {
          name: `unauthenticated callers, by ${Object.keys(data)}`,
          asset: assetOf({ type, data, iamPolicy: policyOf(`${role} user:ada@example.com`) }),
        },
        {
          name: `unauthenticated callers, by ${Object.keys(data)}, without a policy`,
          asset: assetOf({ type, data }),
        },
      ]),
      ...unchecked.slice(0, 1).map(() => ({
        name: 'a public policy, without the resource',
        asset: assetOf({ type, iamPolicy: policyOf(`${role} allUsers`) }),
      })),
      ...otherTypes.map((other) => granted(`an asset of type ${other}`, other, `${role} allUsers`)),
    ],
    na: 'never',
    unknown: [
      { name: 'an asset whose policy was not exported', asset: assetOf({ type, data: {} }) },
      { name: 'an asset whose export has only its name', asset: assetOf({ type }) },
      ...unchecked.slice(0, 1).map(() => ({
        name: 'an asset whose export has only its policy',
        asset: assetOf({ type, iamPolicy: policyOf(`${role} user:ada@example.com`) }),
      })),
    ],
  };
});
