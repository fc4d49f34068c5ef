import type * as client from '../../src/index.ts';
import type * as mock from '../../src/mock/index.ts';
import type * as reactQuery from '../../src/react-query/index.ts';
import type * as schemas from '../../src/schemas/index.ts';
import type * as sessions from '../../src/sessions/index.ts';
import type * as upload from '../../src/upload/index.ts';
import type * as webhooks from '../../src/webhooks/index.ts';

/** What the cases use of the client and its subpaths. */
export interface Parts {
  readonly createClient: typeof client.createClient;
  readonly storedSession: typeof sessions.storedSession;
  readonly createQueryUtils: typeof reactQuery.createQueryUtils;
  readonly mockCspm: typeof mock.mockCspm;
  /** The client of `schemas`. */
  readonly createValidatingClient: typeof schemas.createClient;
  readonly uploadInventory: typeof upload.uploadInventory;
  readonly verifyWebhook: typeof webhooks.verifyWebhook;
}
