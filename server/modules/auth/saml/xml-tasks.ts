import type { SamlIdentity } from './assertion.ts';
import type { Connection, ServiceProvider } from './connection.ts';
import type { Provider } from './provider-metadata.ts';

/** A task for the XML thread. Its XML comes from outside. */
export type XmlTask =
  | {
      readonly kind: 'response';
      readonly xml: string;
      /** Id of the pending request that the response was matched with. */
      readonly requestId: string;
      readonly connection: Connection;
      readonly provider: ServiceProvider;
      readonly nowMs: number;
    }
  | { readonly kind: 'metadata'; readonly xml: string; readonly nowMs: number };

/** An answer of the XML thread. */
export type XmlAnswer =
  | { readonly kind: 'identity'; readonly identity: SamlIdentity }
  /** The response must not be trusted. `reason` is for the audit trail and the tests; the sender never sees it. */
  | { readonly kind: 'refused'; readonly reason: 'response' | 'assertion' }
  | { readonly kind: 'provider'; readonly provider: Provider }
  /** The metadata is invalid: `message` completes a sentence that begins with `member`. */
  | { readonly kind: 'unfit'; readonly member: string; readonly message: string };
