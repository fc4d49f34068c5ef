import { createClient } from '../../src/index.ts';
import { mockCspm } from '../../src/mock/index.ts';
import { createQueryUtils } from '../../src/react-query/index.ts';
import { createClient as createValidatingClient } from '../../src/schemas/index.ts';
import { storedSession } from '../../src/sessions/index.ts';
import { uploadInventory } from '../../src/upload/index.ts';
import { verifyWebhook } from '../../src/webhooks/index.ts';
import type { Parts } from './parts.ts';

export const ours: Parts = {
  ...{ createClient, storedSession, createQueryUtils, mockCspm, createValidatingClient },
  ...{ uploadInventory, verifyWebhook },
};
