/**
 * The same exercise for every consumer. Returns its observations for the runner to compare.
 * @param {typeof import('@cspm/sdk')} sdk
 * @param {string} baseUrl
 */
export async function exercise({ createClient, ApiError, NotFoundError }, baseUrl) {
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
  };
}
