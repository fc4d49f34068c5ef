import { cis } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { type Grant, type GrantFilter, grantsIn } from '../facts/grants.ts';
import { removeGrantsFrom } from '../fixes/remove-grants.ts';
import type { Remedy } from '../fixes/repair.ts';
import { failAll, PASS } from '../outcome.ts';
import type { Outcome, Rule, Violation } from '../rule.ts';
import { policyRule, type RuleSpec } from '../rule-kinds.ts';

const PROJECT = ['cloudresourcemanager.googleapis.com/Project'];

/** Two duties that one member must not combine, in one binding or in several. */
interface Duties {
  readonly manages: string;
  readonly uses: readonly string[];
  /** The role that the fix takes from a member with both. */
  readonly givenUp: string;
  /** What a member with both can do. */
  readonly harm: string;
}

const iamSaSeparationOfDuties = dutiesRule(
  {
    id: 'iam-sa-separation-of-duties',
    title: 'One account both manages and uses service accounts',
    severity: 'medium',
    category: 'iam',
    assetTypes: PROJECT,
    description:
      'An account that can both create service accounts and act as them can use a new one to bypass its own restrictions, and delete it afterwards.',
    remediation:
      'Assign the two roles to different people: `gcloud projects remove-iam-policy-binding PROJECT --member=MEMBER --role=roles/iam.serviceAccountUser`.',
    compliance: cis({ v4: '1.8', v5: '1.9' }),
  },
  {
    manages: 'roles/iam.serviceAccountAdmin',
    uses: ['roles/iam.serviceAccountUser'],
    givenUp: 'roles/iam.serviceAccountUser',
    harm: 'manages the service accounts of this project and can act as any of them',
  },
);

const iamKmsSeparationOfDuties = dutiesRule(
  {
    id: 'iam-kms-separation-of-duties',
    title: 'One account both manages and uses encryption keys',
    severity: 'medium',
    category: 'iam',
    assetTypes: PROJECT,
    description:
      'Encryption keys protect data only if the administrators of the keys cannot decrypt with them.',
    remediation:
      'Assign key administration to people without access to the data: `gcloud projects remove-iam-policy-binding PROJECT --member=MEMBER --role=roles/cloudkms.admin`.',
    compliance: cis({ v4: '1.11', v5: '1.12' }),
  },
  {
    manages: 'roles/cloudkms.admin',
    givenUp: 'roles/cloudkms.admin',
    uses: [
      'roles/cloudkms.cryptoKeyEncrypterDecrypter',
      'roles/cloudkms.cryptoKeyEncrypter',
      'roles/cloudkms.cryptoKeyDecrypter',
    ],
    harm: 'manages the encryption keys of this project and can use them',
  },
);

/** Removes the given-up role from each member that holds both. */
function separate({ manages, uses, givenUp }: Duties): Remedy {
  return (repair) => {
    const holders = (isHeld: (role: string) => boolean) =>
      new Set(
        grantsIn(repair.policy, { role: isHeld, member: () => true }).map(({ member }) =>
          sameFor(member),
        ),
      );
    const managers = holders((role) => role === manages);
    const users = holders((role) => uses.includes(role));
    removeGrantsFrom(
      repair,
      ({ role, member }) =>
        role === givenUp && managers.has(sameFor(member)) && users.has(sameFor(member)),
    );
    repair.caution(`Another member must take over ${givenUp} if nobody else holds it.`);
  };
}

function dutiesRule(spec: RuleSpec, duties: Duties): Rule {
  const filter: GrantFilter = {
    role: (role) => role === duties.manages || duties.uses.includes(role),
    member: () => true,
  };
  return policyRule({ ...spec, fix: separate(duties) }, (policy) =>
    outcomeOf(grantsIn(policy, filter), duties),
  );
}

/** @param grants of these duties only */
function outcomeOf(grants: readonly Grant[], { manages, harm }: Duties): Outcome {
  if (grants.length < 2) return PASS;
  const rolesOf = new Map<string, { readonly member: string; readonly roles: Set<string> }>();
  for (const { role, member } of grants) {
    const key = sameFor(member);
    const known = rolesOf.get(key);
    if (known === undefined) rolesOf.set(key, { member, roles: new Set([role]) });
    else known.roles.add(role);
  }
  const [first, ...more] = [...rolesOf.values()].flatMap(({ member, roles }): Violation[] => {
    if (!roles.has(manages) || roles.size === 1) return [];
    const held = [...roles].toSorted();
    return [
      {
        subject: member,
        message: `${member} ${harm}, with ${held.join(' and ')}.`,
        evidence: [cite('iam_policy.bindings[].role', held)],
      },
    ];
  });
  return first === undefined ? PASS : failAll(first, more);
}

/** Addresses ignore letter case; the subjects of federated identities may not. */
function sameFor(member: string): string {
  return member.includes('://') ? member : member.toLowerCase();
}

export const IAM_DUTY_RULES: readonly Rule[] = [iamKmsSeparationOfDuties, iamSaSeparationOfDuties];
