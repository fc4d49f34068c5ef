import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { SERVER_NODE_OPTIONS } from '../../scripts/node-options.mjs';
import { deploymentFaults } from './faults.ts';
import { type DeploymentFiles, readDeployment } from './files.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const files = await readDeployment(ROOT);

/** The files with one fault in one of them. */
function withFault(path: string, from: string | RegExp, to: string): DeploymentFiles {
  const text = files[path] ?? '';
  const changed = text.replace(from, to);
  if (changed === text) throw new Error(`${path} has no ${from}`);
  return { ...files, [path]: changed };
}

test('the deployment files agree with the server', () => {
  expect(deploymentFaults(files)).toEqual([]);
});

test('npm start and the documented commands run the server with the same Node options', async () => {
  const read = (path: string) => readFile(join(ROOT, path), 'utf8');
  const { scripts } = JSON.parse(await read('package.json'));
  const expected = ['node', ...SERVER_NODE_OPTIONS].join(' ');
  // A SIGTERM to npm reaches the server because it takes the place of the shell.
  expect(scripts.start).toBe(`exec ${expected} scripts/start.mjs`);
  const commands = (await read('docs/operations.md')).match(/\bnode [^`\n]*\bmain\.mjs/g) ?? [];
  expect(commands.length).toBeGreaterThan(1);
  for (const command of commands) expect(command).toContain(expected);
});

const COMPOSE = 'compose.yaml';
const SERVER = 'deploy/kubernetes/server.yaml';
const CONFIGURATION = 'deploy/kubernetes/configuration.yaml';

/** The description, the file, the text, its replacement, and the message. */
type Fault = readonly [string, string, string | RegExp, string, RegExp];

const FAULTS: readonly Fault[] = [
  [
    'a service without a health check, for which docker compose up --wait fails',
    COMPOSE,
    /healthcheck:\n\s+test: \["CMD", "node".*/,
    'healthcheck:\n      disable: true',
    /compose\.yaml, worker: has no health check/,
  ],
  // With the server's configuration
  [
    'a variable that the server does not know, in Compose',
    COMPOSE,
    'WORKER: only',
    'WORKERS: only',
    /compose\.yaml, worker: the server knows no WORKERS/,
  ],
  [
    'a variable that the server does not know, in a ConfigMap',
    CONFIGURATION,
    'LOG_LEVEL',
    'LOG_DEPTH',
    /the server knows no LOG_DEPTH/,
  ],
  [
    'a variable that the server does not know, in the Secret',
    'deploy/kubernetes/secret.env.example',
    'MAIL_URL',
    'SMTP_URL',
    /the server knows no SMTP_URL/,
  ],
  [
    'a variable that the server does not know, in the image',
    'Dockerfile',
    'DATA_DIR=',
    'DATA=',
    /^Dockerfile: the server knows no DATA;/,
  ],
  [
    'a variable that production demands, in Compose',
    COMPOSE,
    /\n {4}WEB_URL.*/,
    '',
    /compose\.yaml, server-1: .*WEB_URL: is required/,
  ],
  [
    'a variable that production demands, in a ConfigMap',
    CONFIGURATION,
    /\n {2}WEB_URL.*/,
    '',
    /server\.yaml, cspm-server: .*WEB_URL: is required/,
  ],
  [
    'a value that the server refuses',
    CONFIGURATION,
    'LOG_LEVEL: info',
    'LOG_LEVEL: loud',
    /worker\.yaml, cspm-worker: .*LOG_LEVEL/,
  ],
  [
    'no production',
    CONFIGURATION,
    'NODE_ENV: production',
    'NODE_ENV: development',
    /cspm-server: is no production/,
  ],
  [
    'a variable that the example leaves out',
    'deploy/compose.env.example',
    'MAIL_URL',
    '# MAIL_URL',
    /compose\.env\.example: .*asks for MAIL_URL/,
  ],
  [
    'a variable of the example that nothing uses',
    'deploy/compose.env.example',
    'MAIL_URL=',
    'PORT=1\nMAIL_URL=',
    /compose\.env\.example: .*does not use PORT/,
  ],
  [
    'an optional variable that the example leaves out',
    'deploy/compose.env.example',
    '# RATE_LIMIT=60\n',
    '',
    /compose\.env\.example: .*asks for RATE_LIMIT/,
  ],
  [
    'an optional variable of the example that nothing uses',
    'deploy/compose.env.example',
    '# RATE_LIMIT=60',
    '# PORT=3000',
    /compose\.env\.example: .*does not use PORT/,
  ],
  [
    'a variable that Compose does not pass to the worker',
    COMPOSE,
    /\n {4}SCAN_RETENTION_MONTHS:/,
    '',
    /compose\.yaml, worker: does not get SCAN_RETENTION_MONTHS/,
  ],
  [
    'a credential that Compose does not pass to servers',
    COMPOSE,
    /\n {6}MASTER_KEY:/,
    '',
    /compose\.yaml, server-2: does not get MASTER_KEY/,
  ],
  [
    'limits that several servers do not share',
    COMPOSE,
    /\n {4}REDIS_URL.*/,
    '',
    /compose\.yaml, server-2: .*set REDIS_URL/,
  ],
  [
    'an address of a service that is not there',
    COMPOSE,
    'redis://redis:',
    'redis://cache:',
    /REDIS_URL leads to cache/,
  ],
  [
    'metrics that the image turns on',
    'Dockerfile',
    'PORT=3000 ',
    'PORT=3000 METRICS_PORT=9464 ',
    /^Dockerfile: turns metrics on for everybody/,
  ],
  [
    'a program that the build does not make, in the image',
    'Dockerfile',
    'dist/server/main.mjs',
    'dist/server/index.mjs',
    /^Dockerfile: starts "node dist\/server\/index\.mjs", which the build does not make/,
  ],
  [
    'a server without the Node options of npm start, in the image',
    'Dockerfile',
    '"--v8-pool-size=1", "--heap-growing-percent=100", ',
    '',
    /^Dockerfile: starts dist\/server\/main\.mjs without --v8-pool-size=1 --heap-growing-percent=100/,
  ],
  [
    'a program that the build does not make, in Compose',
    COMPOSE,
    'dist/server/admin.mjs',
    'dist/admin.mjs',
    /compose\.yaml, migrate: starts "node dist\/admin\.mjs"/,
  ],
  [
    'a program that the build does not make, in the cluster',
    'deploy/kubernetes/migrate.yaml',
    '"node", ',
    '"tsx", ',
    /cspm-migrate: starts "tsx dist\/server\/admin\.mjs"/,
  ],
  [
    'an end that comes too soon, in Compose',
    COMPOSE,
    'period: 40s',
    'period: 30s',
    /compose\.yaml, worker: is killed after 30 s/,
  ],
  [
    'an end that comes too soon, in the cluster',
    SERVER,
    'Seconds: 40',
    'Seconds: 35',
    /cspm-server: is killed after 35 s/,
  ],
  [
    'an end that comes too soon, in what is told',
    'Dockerfile',
    'stop -t 40',
    'stop -t 30',
    /^Dockerfile: recommends docker stop -t 30/,
  ],
  [
    'less memory than a server may take',
    SERVER,
    'memory: 5Gi',
    'memory: 4096Mi',
    /cspm-server: may take \d+ MiB, and is ended at 4096/,
  ],
  [
    'less memory than a worker may take',
    'deploy/kubernetes/worker.yaml',
    'memory: 4Gi',
    'memory: 3Gi',
    /cspm-worker: may take \d+ MiB, and is ended at 3072/,
  ],
  [
    'more proxies believed than there are',
    COMPOSE,
    'TRUST_PROXY: "1"',
    'TRUST_PROXY: "2"',
    /server-1: TRUST_PROXY is 2, and 1 proxies are in front of it/,
  ],
  [
    'an ingress that is mistaken for the client',
    CONFIGURATION,
    /\n {2}TRUST_PROXY.*/,
    '',
    /cspm-server: rate limits would count the ingress as the client/,
  ],
];

test.each(FAULTS)('the deployment check finds %s', (_, path, from, to, fault) => {
  expect(deploymentFaults(withFault(path, from, to)).join('\n')).toMatch(new RegExp(fault, 'm'));
});

test('the deployment check names a file that is not YAML', () => {
  expect(() => deploymentFaults(withFault(SERVER, 'spec:', 'spec: ]'))).toThrow(
    /^deploy\/kubernetes\/server\.yaml: /,
  );
});
