import type { KeyRing } from '../../platform/crypto/app-secrets.ts';
import type { AddressPolicy } from './address-policy.ts';
import type { HostLookup } from './host-lookup.ts';

/** What requests and deliveries need to know of the configuration. */
export interface WebhookConfig {
  /** For the signing secrets. */
  readonly keys: KeyRing;
  readonly addresses: AddressPolicy;
  readonly lookup: HostLookup;
}
