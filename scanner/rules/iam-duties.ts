import { cis } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { type Grant, type GrantFilter, grantsIn } from '../facts/grants.ts';
import { fail, PASS } from '../outcome.ts';
import type { Outcome, Rule, Violation } from '../rule.ts';
import { policyRule, type RuleSpec } from '../rule-kinds.ts';

const PROJECT = ['cloudresourcemanager.googleapis.com/Project'];

/** Two duties that nobody should have together, whether one binding gives them or several do. */
interface Duties {
  readonly manages: string;
  readonly uses: readonly string[];
  /** What the member can do by both. */
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
      'Who makes service accounts and may act as them can make one to do what they may not do themselves, and delete it afterwards.',
    remediation:
      'Leave each of the two roles to other people: gcloud projects remove-iam-policy-binding PROJECT --member=MEMBER --role=roles/iam.serviceAccountUser.',
    compliance: cis({ v4: '1.8', v5: '1.9' }),
  },
  {
    manages: 'roles/iam.serviceAccountAdmin',
    uses: ['roles/iam.serviceAccountUser'],
    harm: 'manages the service accounts of this project and may act as any of them',
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
      'Keys protect data from those who keep it only while those who manage the keys cannot decrypt with them.',
    remediation:
      'Leave managing the keys to people who have nothing to do with the data: gcloud projects remove-iam-policy-binding PROJECT --member=MEMBER --role=roles/cloudkms.admin.',
    compliance: cis({ v4: '1.11', v5: '1.12' }),
  },
  {
    manages: 'roles/cloudkms.admin',
    uses: [
      'roles/cloudkms.cryptoKeyEncrypterDecrypter',
      'roles/cloudkms.cryptoKeyEncrypter',
      'roles/cloudkms.cryptoKeyDecrypter',
    ],
    harm: 'manages the encryption keys of this project and may use them',
  },
);

function dutiesRule(spec: RuleSpec, duties: Duties): Rule {
  const filter: GrantFilter = {
    role: (role) => role === duties.manages || duties.uses.includes(role),
    member: () => true,
  };
  return policyRule(spec, (policy) => judge(grantsIn(policy, filter), duties));
}

/** @param grants of these duties alone */
function judge(grants: readonly Grant[], { manages, harm }: Duties): Outcome {
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
        message: `${member} ${harm}, by ${held.join(' and ')}.`,
        evidence: [cite('iam_policy.bindings[].role', held)],
      },
    ];
  });
  return first === undefined ? PASS : fail(first, ...more);
}

/** Addresses are the same in any letter case; the subjects of federated identities need not be. */
function sameFor(member: string): string {
  return member.includes('://') ? member : member.toLowerCase();
}

export const IAM_DUTY_RULES: readonly Rule[] = [iamKmsSeparationOfDuties, iamSaSeparationOfDuties];
