import type { Webhook } from '@cspm/sdk';
import { Badge } from '../../ui/Button.tsx';

/** Whether a webhook sends events, and whether its receiver accepts them. */
export function WebhookState({ webhook }: { readonly webhook: Webhook }) {
  const { enabled, failingSince, disabledReason } = webhook;
  if (!enabled) return <Badge tone={disabledReason === null ? undefined : 'bad'}>Disabled</Badge>;
  if (failingSince !== null) return <Badge tone="warn">Failing</Badge>;
  return <Badge tone="good">Enabled</Badge>;
}
