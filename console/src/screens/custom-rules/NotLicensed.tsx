import type { Identity } from '@cspm/sdk';
import { Lock } from 'lucide-react';
import { Page } from '../../ui/Page.tsx';
import { EmptyState } from '../../ui/States.tsx';

/** Whether the tenant may have rules of its own. */
export const hasCustomRules = ({ features }: Identity['tenant']): boolean =>
  features.includes('custom_rules');

/** Says that the feature is not enabled, without asking the server. */
export function NotLicensed() {
  return (
    <Page title="Custom rules">
      <EmptyState
        icon={<Lock size={26} strokeWidth={1.5} aria-hidden />}
        title="Custom rules are not enabled for your tenant"
      >
        <p>
          With them you write your own conditions, which scans evaluate like built-in rules. The
          operator of the service can enable the feature custom_rules.
        </p>
      </EmptyState>
    </Page>
  );
}
