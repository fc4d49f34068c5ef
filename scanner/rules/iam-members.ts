import { cis, NO_REQUIREMENT } from '../compliance.ts';
import { type GrantFilter, grantsIn } from '../facts/grants.ts';
import { isHuman, isOfDomain } from '../facts/member.ts';
import type { JsonObject, JsonValue } from '../json.ts';
import { POLICY_BEARING_TYPES } from '../policy-bearing-types.ts';
import type { Rule } from '../rule.ts';
import { policyRule } from '../rule-kinds.ts';
import { grantRule, outcomeOf } from './grant-rule.ts';

/** Where everybody gets an account who asks for one. */
const OF_EVERYBODY = ['gmail.com', 'googlemail.com'];

const iamExternalMembers: Rule = {
  ...policyRule(
    {
      id: 'iam-external-members',
      title: 'Someone from outside has access',
      severity: 'medium',
      category: 'iam',
      assetTypes: POLICY_BEARING_TYPES,
      description:
        'A private account is not blocked when its owner leaves, and nobody sees to its password. Until a tenant names its own domains these are the accounts of Gmail; from then on, all people, groups and domains outside them. Service accounts are no people: other rules look at them.',
      remediation:
        'Give the role to an account, or a group, of your own domain and remove this member with the remove-iam-policy-binding command of the service, as in: gcloud projects remove-iam-policy-binding PROJECT --member=MEMBER --role=ROLE.',
      compliance: cis({ v4: '1.1', v5: '1.2' }),
      parameters: { allowedDomains: [] },
    },
    (policy, _asset, { parameters }) =>
      outcomeOf(
        grantsIn(policy, outsidersBy(parameters)),
        ({ role, member }) => `${member} is from outside and holds ${role} here.`,
      ),
  ),
  looksAtEveryPolicy: true,
};

/** By the parameters of a profile, which are one object for a whole scan. */
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
      title: 'Policy names an account that is gone',
      severity: 'low',
      category: 'iam',
      assetTypes: POLICY_BEARING_TYPES,
      description:
        'Google keeps the bindings of deleted accounts, marked as such: should the account be restored, so are its roles. Until then they make policies hard to read.',
      remediation:
        'Remove the member as it stands there, with deleted: and ?uid=…, by the remove-iam-policy-binding command of the service, as in: gcloud projects remove-iam-policy-binding PROJECT --member=MEMBER --role=ROLE.',
      compliance: NO_REQUIREMENT,
    },
    { member: (member) => member.startsWith('deleted:') },
    ({ role, member }) => `${member} still holds ${role} here.`,
  ),
  looksAtEveryPolicy: true,
};

export const IAM_MEMBER_RULES: readonly Rule[] = [iamDeletedMembers, iamExternalMembers];
