import { cis, NO_REQUIREMENT } from '../compliance.ts';
import { type GrantFilter, grantsIn } from '../facts/grants.ts';
import { isHuman, isOfDomain } from '../facts/member.ts';
import { removeGrants } from '../fixes/remove-grants.ts';
import type { JsonObject, JsonValue } from '../json.ts';
import { POLICY_BEARING_TYPES } from '../policy-bearing-types.ts';
import type { Rule } from '../rule.ts';
import { policyRule } from '../rule-kinds.ts';
import { grantRule, isSelected, outcomeOf } from './grant-rule.ts';

/** Domains that give an account to anyone. */
const OF_EVERYBODY = ['gmail.com', 'googlemail.com'];

const iamExternalMembers: Rule = {
  ...policyRule(
    {
      id: 'iam-external-members',
      title: 'External member has access',
      severity: 'medium',
      category: 'iam',
      assetTypes: POLICY_BEARING_TYPES,
      description:
        'A private account is not blocked when its owner leaves, and its password is not managed. Until a tenant configures its own domains, Gmail accounts count as external; after that, all people, groups and domains outside those domains. Service accounts are covered by other rules.',
      remediation:
        'Grant the role to an account or group of your own domain and remove this member with the remove-iam-policy-binding command of the service, for example: `gcloud projects remove-iam-policy-binding PROJECT --member=MEMBER --role=ROLE`.',
      compliance: cis({ v4: '1.1', v5: '1.2' }),
      fix: removeGrants((grant, { parameters }) => isSelected(grant, outsidersBy(parameters))),
      parameters: { allowedDomains: [] },
    },
    (policy, _asset, { parameters }) =>
      outcomeOf(
        grantsIn(policy, outsidersBy(parameters)),
        ({ role, member }) => `${member} is external and has ${role} here.`,
      ),
  ),
  looksAtEveryPolicy: true,
};

/** Cached by the parameters of a profile, which are one object for a whole scan. */
const OUTSIDERS = new WeakMap<JsonObject, GrantFilter>();

function outsidersBy(parameters: JsonObject): GrantFilter {
  const known = OUTSIDERS.get(parameters);
  if (known !== undefined) return known;
  const own = domainsIn(parameters);
  const isOutside = (member: string) =>
    own.length === 0
      ? OF_EVERYBODY.some((domain) => isOfDomain(member, domain))
      : !own.some((domain) => isOfDomain(member, domain));
  const filter: GrantFilter = { member: (member) => isHuman(member) && isOutside(member) };
  OUTSIDERS.set(parameters, filter);
  return filter;
}

const NONE: readonly string[] = [];

function domainsIn({ allowedDomains }: JsonObject): readonly string[] {
  return Array.isArray(allowedDomains) && allowedDomains.every(isText) ? allowedDomains : NONE;
}

function isText(value: JsonValue): value is string {
  return typeof value === 'string' && value !== '';
}

const iamDeletedMembers: Rule = {
  ...grantRule(
    {
      id: 'iam-deleted-members',
      title: 'Policy contains a deleted account',
      severity: 'low',
      category: 'iam',
      assetTypes: POLICY_BEARING_TYPES,
      description:
        'Google keeps the bindings of deleted accounts and marks them. If the account is restored, its roles are restored too. Until then the bindings make policies harder to read.',
      remediation:
        'Remove the member exactly as written, with deleted: and ?uid=…, using the remove-iam-policy-binding command of the service, for example: `gcloud projects remove-iam-policy-binding PROJECT --member=MEMBER --role=ROLE`.',
      compliance: NO_REQUIREMENT,
      fix: removeGrants(({ member }) => isDeleted(member)),
    },
    { member: isDeleted },
    ({ role, member }) => `${member} still has ${role} here.`,
  ),
  looksAtEveryPolicy: true,
};

function isDeleted(member: string): boolean {
  return member.startsWith('deleted:');
}

export const IAM_MEMBER_RULES: readonly Rule[] = [iamDeletedMembers, iamExternalMembers];
