import { NO_REQUIREMENT } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { isEnum } from '../facts/enumeration.ts';
import { isSharedIssuer } from '../facts/oidc-issuer.ts';
import { child, isTrue, text } from '../json.ts';
import { fail, NOT_APPLICABLE, PASS } from '../outcome.ts';
import { resourceRule } from '../rule-kinds.ts';

export const wifNoAttributeCondition = resourceRule(
  {
    id: 'wif-no-attribute-condition',
    title: 'Federation admits every customer of the issuer',
    severity: 'high',
    category: 'iam',
    assetTypes: ['iam.googleapis.com/WorkloadIdentityPoolProvider'],
    description:
      'GitHub, GitLab, Terraform Cloud and others sign the tokens of all their customers with the same keys. Without an attribute condition a workflow of any stranger is let in, and holds whatever is given to the pool.',
    remediation:
      'Name your organisation in a condition: gcloud iam workload-identity-pools providers update-oidc PROVIDER --workload-identity-pool=POOL --location=global --attribute-condition="assertion.repository_owner_id == \'ID\'".',
    compliance: NO_REQUIREMENT,
  },
  (provider) => {
    if (isEnum(provider.state, 'DELETED')) return NOT_APPLICABLE;
    const oidc = child(provider, 'oidc');
    if (oidc === null) return NOT_APPLICABLE;
    const issuer = text(oidc, 'issuerUri') ?? '';
    if (!isSharedIssuer(issuer) || restricts(text(provider, 'attributeCondition'))) return PASS;
    // Nobody gets in by a provider that is disabled, and the sessions of those who did last an hour.
    if (isTrue(provider, 'disabled')) return PASS;
    return fail({
      message: `Every customer of ${issuer} is let in: there is no attribute condition.`,
      evidence: [
        cite('oidc.issuerUri', issuer),
        cite('attributeCondition', provider.attributeCondition),
      ],
    });
  },
);

/** An expression that is true of everybody is no condition. */
function restricts(condition: string | null): boolean {
  const expression = condition?.trim() ?? '';
  return expression !== '' && expression !== 'true';
}
