// A race is fair only if all do the same work: a server with other responses or other writes does not start.
import { deepStrictEqual } from 'node:assert';
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { API_KEY } from '../rig.mjs';
import { freshName } from './requests.mjs';

const WRONG_KEY = API_KEY.replace(/.$/, 'x');

/**
 * @param {import('../rig.mjs').Running} ours
 * @param {import('../rig.mjs').Running} other
 * @param {import('./entrants.mjs').Entrant} entrant
 * @param {import('./requests.mjs').Filled} filled
 * @throws {Error} that says in what they differ
 */
export async function assertSameWork(ours, other, { title, kind }, { scanId }) {
  try {
    for (const path of pathsOf(scanId)) {
      const expected = await ask(`${ours.url}${path}`);
      deepStrictEqual({ path, ...(await ask(`${other.url}${path}`)) }, { path, ...expected });
    }
    await assertCreatesAlike(ours, other);
    // The baseline neither limits nor validates by design.
    if (kind !== 'floor') await assertRefuses(other, scanId);
  } catch (cause) {
    throw new Error(`${title} does not do the same work: ${cause.message}`, { cause });
  }
}

/** What is read in the race. */
function pathsOf(scanId) {
  return ['/scans', '/findings', '/findings/summary', `/scans/${scanId}/compliance`];
}

/**
 * The created projects must have the same members, be readable through our server, and have an audit row with the
 * actor and the same API key.
 */
async function assertCreatesAlike(ours, other) {
  const made = [];
  for (const { url } of [ours, other]) {
    const name = freshName();
    const { status, body } = await ask(`${url}/projects`, { json: { name } });
    deepStrictEqual({ status, name: body.name }, { status: 201, name });
    deepStrictEqual((await ask(`${ours.url}/projects/${name}`)).body, body);
    const events = await ask(`${ours.url}/audit-events?action=project.created&limit=10`);
    const event = events.body.items.find(({ subject }) => subject === name);
    const { apiKeyId, ...detail } = event?.detail ?? {};
    deepStrictEqual(
      { outcome: event?.outcome, kind: event?.actor.kind, key: typeof apiKeyId, detail },
      { outcome: 'success', kind: 'api_key', key: 'string', detail: { projectId: body.id } },
    );
    made.push({ apiKeyId, members: kindsIn(body) });
  }
  deepStrictEqual(made[1], made[0]);
}

async function assertRefuses({ url }, scanId) {
  const name = freshName();
  const status = async (path, options) => (await ask(`${url}${path}`, options)).status;
  const statuses = (paths, options) => Promise.all(paths.map((path) => status(path, options)));
  deepStrictEqual(
    {
      wrongKey: await statuses(pathsOf(scanId), { key: WRONG_KEY }),
      wrongLimit: await statuses(['/scans?limit=0', '/findings?limit=0']),
      noScan: await status(`/scans/${randomUUID()}/compliance`),
      wrongScan: await status('/scans/first/compliance'),
      wrongFramework: await status(`/scans/${scanId}/compliance?framework=none`),
      wrongName: await status('/projects', { json: { name: 'No name' } }),
      surplusMember: await status('/projects', { json: { name, more: true } }),
      newName: await status('/projects', { json: { name } }),
      takenName: await status('/projects', { json: { name } }),
      wrongKeyAtCreate: await status('/projects', { json: { name }, key: WRONG_KEY }),
    },
    {
      wrongKey: [401, 401, 401, 401],
      wrongLimit: [400, 400],
      noScan: 404,
      wrongScan: 400,
      wrongFramework: 400,
      wrongName: 400,
      surplusMember: 400,
      newName: 201,
      takenName: 409,
      wrongKeyAtCreate: 401,
    },
  );
}

function kindsIn(value) {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, member === null ? null : typeof member]),
  );
}

/**
 * @param {string} url
 * @param {{ json?: unknown, key?: string }} [options]
 * @returns {Promise<{ status: number | undefined, body: any }>} body: any server's JSON, whose members are compared one by one
 */
function ask(url, { json, key = API_KEY } = {}) {
  return new Promise((resolve, reject) => {
    const method = json === undefined ? 'GET' : 'POST';
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
    const sent = request(url, { method, headers });
    sent.on('error', reject).on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece) => {
        text += piece;
      });
      response.on('end', () => resolve({ status: response.statusCode, body: JSON.parse(text) }));
    });
    sent.end(json === undefined ? undefined : JSON.stringify(json));
  });
}
