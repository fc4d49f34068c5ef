/** @typedef {typeof import('@cspm/sdk/session') & typeof import('@cspm/sdk/upload') & typeof import('@cspm/sdk/webhooks')} Subpaths */

/**
 * The same exercise for every consumer. Returns its observations for the runner to compare.
 * @param {typeof import('@cspm/sdk') & Subpaths} sdk
 * @param {string} baseUrl
 */
export async function exercise({ createClient, ApiError, NotFoundError, ...subpaths }, baseUrl) {
  const cspm = createClient({ baseUrl, apiKey: 'cspm_consumer' });

  const launch = await cspm.scans
    .launch({ projects: ['shop-prod'], profile: 'full' }, { idempotencyKey: 'launch-1' })
    .withResponse();

  /** @type {string[]} */
  const rules = [];
  for await (const finding of cspm.findings.list({ project: 'shop-prod', severity: 'high' })) {
    rules.push(finding.ruleId);
  }
  const page = await cspm.findings.list({ project: 'shop-prod' });

  const limited = await cspm.scans.get({ id: launch.data.id }).withResponse();
  /** @type {string[]} */
  const progress = [];
  const done = await cspm.scans.wait(launch.data.id, {
    onProgress: ({ status }) => progress.push(status),
  });

  let csv = '';
  for await (const text of cspm.findings.export({ format: 'csv' })) csv += text;
  /** @type {unknown[]} */
  const events = [];
  for await (const { id, event, data } of cspm.scans.events({ id: launch.data.id })) {
    events.push([id, event, data.status]);
  }

  const error = await cspm.rules.get({ id: 'no-such-rule' }).catch((reason) => reason);

  return {
    launch: launch.attempts.map(({ status }) => status),
    correlationId: launch.correlationId,
    rules,
    firstPage: page.items.length,
    limited: limited.attempts.map(({ status }) => status),
    obeyedRetryAfter: limited.retryDelayMs >= 1000,
    progress,
    done: done.status,
    csv,
    events,
    error: [error instanceof NotFoundError, error instanceof ApiError, error.name, error.code],
    session: await signInAndOut({ createClient, ...subpaths }, baseUrl),
    upload: await upload(cspm, subpaths),
    webhooks: await receive(subpaths),
  };
}

/**
 * @param {Pick<typeof import('@cspm/sdk'), 'createClient'> & Pick<Subpaths, 'storedSession' | 'memoryStore'>} sdk
 * @param {string} baseUrl
 */
async function signInAndOut({ createClient, storedSession, memoryStore }, baseUrl) {
  const session = storedSession(memoryStore());
  /** @type {string[]} */
  const events = [];
  session.subscribe((event) => events.push(event));
  const cspm = createClient({ baseUrl, session });
  await cspm.auth.login({ email: 'ada@example.com', password: 'correct horse battery staple' });
  const { items } = await cspm.findings.list({ project: 'shop-prod' });
  await cspm.auth.logout();
  return [...events, items.length, session.isSignedIn];
}

/**
 * @param {import('@cspm/sdk').Cspm} cspm
 * @param {Pick<Subpaths, 'uploadInventory'>} subpaths
 */
async function upload(cspm, { uploadInventory }) {
  const inventory = '{"name":"//storage.googleapis.com/b"}\n'.repeat(3);
  /** @type {number[]} */
  const bytes = [];
  const { assets } = await uploadInventory(
    cspm,
    { name: 'shop-prod', inventory },
    { onProgress: (progress) => bytes.push(progress.bytes) },
  );
  const rises = bytes.every((sent, at) => at === 0 || sent >= (bytes[at - 1] ?? 0));
  return { assets, first: bytes[0], rises, all: bytes.at(-1) === inventory.length };
}

/** @param {Pick<Subpaths, 'verifyWebhook' | 'WebhookVerificationError'>} subpaths */
async function receive({ verifyWebhook, WebhookVerificationError }) {
  const body = '{"type":"webhook.test","timestamp":"2026-11-20T08:00:00.000Z","data":{}}';
  const headers = new Headers({
    'webhook-id': 'msg_1',
    'webhook-timestamp': '1795161600',
    'webhook-signature': 'v1,ksGzRKtBWcrf6vx1RbYfGAhvnysWPVoeR9rWO8oJd9U=',
  });
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';
  const now = new Date('2026-11-20T08:00:01Z');
  const event = await verifyWebhook(body, headers, secret, { now });
  const late = await verifyWebhook(body, headers, secret).catch((reason) => reason);
  const forged = await verifyWebhook(`${body} `, headers, secret, { now }).catch((why) => why);
  return [
    event.type,
    late instanceof WebhookVerificationError,
    forged instanceof WebhookVerificationError,
  ];
}
