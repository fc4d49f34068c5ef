import type { SubpathCase } from './case.ts';
import { mocks } from './mock.ts';
import { queries } from './queries.ts';
import { schemas } from './schemas.ts';
import { sessions } from './sessions.ts';
import { uploads } from './upload.ts';
import { webhooks } from './webhooks.ts';

/** All cases of the subpaths. */
export const subpathTable: readonly SubpathCase[] = [
  ...sessions,
  ...queries,
  ...mocks,
  ...schemas,
  ...uploads,
  ...webhooks,
];
