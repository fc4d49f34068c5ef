import { NO_REQUIREMENT } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { isEnum } from '../facts/enumeration.ts';
import { isSharedIssuer } from '../facts/oidc-issuer.ts';
import { child, isTrue, text } from '../json.ts';
import { fail, NOT_APPLICABLE, PASS } from '../outcome.ts';
import { resourceRule } from '../rule-kinds.ts';

/*
 * Fields: iam v1, discovery revision 20261023.
 */

export const wifNoAttributeCondition = resourceRule(
  {
    id: 'wif-no-attribute-condition',
    title: 'Federation accepts every customer of the issuer',
    severity: 'high',
    category: 'iam',
    assetTypes: ['iam.googleapis.com/WorkloadIdentityPoolProvider'],
    description:
      'GitHub, GitLab, Terraform Cloud and others sign the tokens of all their customers with the same keys. Without an attribute condition a workflow of any customer is accepted and gets the permissions granted to the pool.',
    remediation:
      'Name your organization in a condition: `gcloud iam workload-identity-pools providers update-oidc PROVIDER --workload-identity-pool=POOL --location=global --attribute-condition="assertion.repository_owner_id == \'ID\'"`.',
    compliance: NO_REQUIREMENT,
    noFix: 'needs the condition that identifies your organization',
  },
  (provider) => {
    if (isEnum(provider.state, 'DELETED')) return NOT_APPLICABLE;
    const oidc = child(provider, 'oidc');
    if (oidc === null) return NOT_APPLICABLE;
    const issuer = text(oidc, 'issuerUri') ?? '';
    if (!isSharedIssuer(issuer) || restricts(text(provider, 'attributeCondition'))) return PASS;
    // A disabled provider accepts no one, and existing sessions last at most an hour.
    if (isTrue(provider, 'disabled')) return PASS;
    return fail({
      message: `Every customer of ${issuer} is accepted: there is no attribute condition.`,
      evidence: [
        cite('oidc.issuerUri', issuer),
        cite('attributeCondition', provider.attributeCondition),
      ],
    });
  },
);

/** An expression that is always true is no condition. */
function restricts(condition: string | null): boolean {
  const expression = condition?.trim() ?? '';
  return expression !== '' && expression !== 'true';
}
