// The baseline: a bare node:http server with prepared statements, with the same SQL as ours, including the tenant
// setting for row-level security. No limits, no validation, no headers, no contract.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { pool } from './client.mjs';
import { scanCompliance } from './compliance.mjs';
import { summariseFindings } from './finding-summary.mjs';
import { listFindings } from './findings.mjs';
import { createProject } from './projects.mjs';
import { listScans } from './scans.mjs';

const server = createServer(async (req, res) => {
  try {
    const who = await authenticate(req.headers['x-api-key']);
    const answer = await handlerOf(req)(who, req);
    const body = JSON.stringify(answer.body);
    res.writeHead(answer.status, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    });
    res.end(body);
  } catch (error) {
    res.writeHead(500).end(String(error));
  }
});
server.listen(0, '127.0.0.1', () => {
  console.log(`Serving on http://127.0.0.1:${server.address().port}`);
});
process.once('SIGTERM', () => process.exit(0));

function handlerOf({ method, url }) {
  if (method === 'POST') return createProject;
  if (url === '/findings') return listFindings;
  if (url === '/findings/summary') return summariseFindings;
  return url.endsWith('/compliance') ? scanCompliance : listScans;
}

const AUTHENTICATE = 'SELECT * FROM identity.authenticate_key($1, $2, $3)';

async function authenticate(key) {
  const [, publicId, secret] = /^cspm_(.{12})_(.{43})$/.exec(key);
  const { rows } = await pool.query({
    name: 'authenticate',
    text: AUTHENTICATE,
    values: [publicId, createHash('sha256').update(secret).digest(), new Date()],
  });
  return rows[0];
}
