/** Wrong and correct use of the smaller subpaths of `@cspm/sdk`, as in client.test-d.ts: `tsc` is the test. */
import type { Cspm, Finding, Inventory } from './index.ts';
import { make, mockCspm } from './mock/index.ts';
import { createClient, FindingSchema, ProjectsCreateBodySchema } from './schemas/index.ts';
import {
  cookieSession,
  fileStore,
  localStorageStore,
  type SessionEvent,
  storedSession,
} from './sessions/index.ts';
import { uploadInventory } from './upload/index.ts';
import { verifyWebhook, type WebhookEvent } from './webhooks/index.ts';

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare function same<A, B>(yes: Equal<A, B>): void;
declare const cspm: Cspm;

const baseUrl = 'http://127.0.0.1:3000';

// Sessions.
const session = storedSession(localStorageStore('mine'));
same<typeof session.isSignedIn, boolean>(true);
session.subscribe((event) => same<typeof event, SessionEvent>(true));
storedSession({ ...fileStore('session.json'), name: 'mine' });
// @ts-expect-error TS2367 -- an event that does not exist.
session.subscribe((event) => event === 'renewed');
// @ts-expect-error TS2540 -- only signing in and out changes it.
session.isSignedIn = true;
// @ts-expect-error TS2554 -- a file has a path.
fileStore();
// @ts-expect-error TS2353 -- the cookie is that of the service.
cookieSession({ cookie: 'mine' });

// Uploads.
const upload = uploadInventory(
  cspm,
  { name: 'shop-prod', inventory: { path: 'export.ndjson' } },
  { onProgress: ({ bytes, totalBytes }) => bytes / (totalBytes ?? bytes), timeoutMs: 5_000 },
);
same<Awaited<typeof upload>, Inventory>(true);
uploadInventory(cspm, { name: 'shop-prod', inventory: new Blob([]) });
// @ts-expect-error TS2345 -- an upload without its inventory.
uploadInventory(cspm, { name: 'shop-prod' });
// @ts-expect-error TS2322 -- a path is a string.
uploadInventory(cspm, { name: 'shop-prod', inventory: { path: 5 } });
// @ts-expect-error TS18048 -- a stream has no known size.
uploadInventory(cspm, { name: 'a', inventory: '' }, { onProgress: (at) => at.totalBytes / 2 });

// Webhooks.
async (request: Request, node: { headers: Record<string, string | string[] | undefined> }) => {
  const event = await verifyWebhook(await request.text(), request.headers, 'whsec_x');
  same<typeof event, WebhookEvent>(true);
  if (event.type === 'findings.opened') same<typeof event.data.total, number>(true);
  await verifyWebhook(new Uint8Array(), node.headers, ['whsec_new', 'whsec_old']);
  // @ts-expect-error TS2345 -- a body that was parsed has other bytes.
  await verifyWebhook(await request.json().then((body: object) => body), request.headers, 'w');
  // @ts-expect-error TS2345 -- the secret may be missing.
  await verifyWebhook('', request.headers, ({} as { SECRET?: string }).SECRET);
  // @ts-expect-error TS2339 -- only some events have a total.
  return event.data.total;
};

// Mocks.
const mock = mockCspm({ baseUrl, scanSeconds: 0 });
same<ReturnType<typeof make.finding>, Finding>(true);
mock.answer('findingsList', { items: [make.finding({ severity: 'low' })], nextCursor: null });
mock.refuse('scansLaunch', 'PREFLIGHT_BLOCKED');
// @ts-expect-error TS2345 -- a code that the operation does not have.
mock.refuse('scansLaunch', 'DOMAIN_NOT_VERIFIED');
// @ts-expect-error TS2345 -- an operation that does not exist.
mock.refuse('scansStart', 'NOT_FOUND');
// @ts-expect-error TS2322 -- a list is answered with a page.
mock.answer('findingsList', { items: [{ id: 5 }], nextCursor: null });
// @ts-expect-error TS2322 -- not a severity.
make.finding({ severity: 'severe' });

// Schemas.
const finding = FindingSchema.parse({});
same<typeof finding.severity, Finding['severity']>(true);
const body = ProjectsCreateBodySchema.parse({});
same<typeof body.name, string>(true);
same<ReturnType<typeof createClient>, Cspm>(true);
createClient({ baseUrl, apiKey: 'k', validateResponses: true });
// @ts-expect-error TS2322 -- `validateResponses` is a boolean.
createClient({ baseUrl, apiKey: 'k', validateResponses: 'always' });
