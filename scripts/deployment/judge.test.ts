import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type DeploymentFiles, readDeployment } from './files.ts';
import { disagreements, judge } from './judge.ts';

const files = await readDeployment(fileURLToPath(new URL('../..', import.meta.url)));

/** The files with one slip in one of them. */
function withSlip(path: string, from: string | RegExp, to: string): DeploymentFiles {
  const text = files[path] ?? '';
  const changed = text.replace(from, to);
  if (changed === text) throw new Error(`${path} has no ${from}`);
  return { ...files, [path]: changed };
}

test('what deploys the service is in order', async () => {
  expect(await judge(files)).toEqual([]);
});

const COMPOSE = 'compose.yaml';
const NGINX = 'deploy/nginx.conf';
const SERVER = 'deploy/kubernetes/server.yaml';
const CONFIGURATION = 'deploy/kubernetes/configuration.yaml';
const KUSTOMIZATION = 'deploy/kubernetes/kustomization.yaml';

/** What, where, the text, what is written in its place, and what is said of it. */
type Slip = readonly [string, string, string | RegExp, string, RegExp];

const MALFORMATIONS: readonly Slip[] = [
  ['YAML that cannot be read', COMPOSE, 'services:', 'services: ]', /^compose\.yaml: /],
  [
    'JSON that cannot be read',
    'deploy/grafana/dashboard.json',
    '{',
    '',
    /^deploy\/grafana\/dashboard\.json: /,
  ],
  [
    'an instruction that Docker does not know',
    'Dockerfile',
    'WORKDIR',
    'WORKFOLDER',
    /^Dockerfile:\d+: .*WORKFOLDER/,
  ],
  [
    'a field that Compose does not know',
    COMPOSE,
    'restart: unless',
    'restarts: unless',
    /^compose\.yaml:.*restarts|additional/,
  ],
  [
    'a value that Compose does not take',
    COMPOSE,
    'retries: 12',
    'retries: [12]',
    /^compose\.yaml:.*retries/,
  ],
  [
    'a kind of which there is no schema',
    SERVER,
    'kind: Service',
    'kind: Servant',
    /server\.yaml: v1 Servant has no schema/,
  ],
  [
    'a field that Kubernetes does not know',
    SERVER,
    'terminationGracePeriodSeconds',
    'terminationGracePeriod',
    /server\.yaml: .*\/terminationGracePeriod is no field/,
  ],
  [
    'a value that Kubernetes does not take',
    SERVER,
    'replicas: 2',
    'replicas: two',
    /server\.yaml: .*replicas/,
  ],
  [
    'a field that Kubernetes demands',
    SERVER,
    /selector:\n {4}matchLabels.*\n {2}strategy/,
    'strategy',
    /server\.yaml: .*selector/,
  ],
];

const DISAGREEMENTS: readonly Slip[] = [
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
  // With each other
  [
    'a port that the image does not expose',
    'Dockerfile',
    'EXPOSE 3000',
    'EXPOSE 8080',
    /^Dockerfile: EXPOSE says 8080/,
  ],
  [
    'a server of the proxy that is not there',
    NGINX,
    'server-2:',
    'server-3:',
    /nginx\.conf: server-3 is no server/,
  ],
  [
    'a port of the proxy that nobody listens on',
    NGINX,
    'server-2:3000',
    'server-2:3001',
    /nginx\.conf: leads to server-2:3001/,
  ],
  [
    'a proxy that leads to a worker',
    NGINX,
    'server-2:',
    'worker:',
    /nginx\.conf: leads to worker:3000, where a worker/,
  ],
  [
    'a port that is published and not listened on',
    NGINX,
    'listen 8080',
    'listen 80',
    /compose\.yaml: publishes .*8080, .* listens on 80;/,
  ],
  [
    'a port of a container that the server does not have',
    SERVER,
    'containerPort: 3000',
    'containerPort: 8080',
    /cspm-server: port http is 8080, the server's 3000/,
  ],
  [
    'metrics that are asked for elsewhere',
    SERVER,
    'port: "9464"',
    'port: "9100"',
    /prometheus\.io\/port is 9100/,
  ],
  [
    'a service that leads to no pod',
    SERVER,
    /(kind: Service\n(?:.*\n){3} {2}selector: .*component: )server/,
    '$1web',
    /no pod has the labels .*web/,
  ],
  [
    'a service that leads to no port',
    SERVER,
    'targetPort: http',
    'targetPort: web',
    /leads to port web/,
  ],
  [
    'a policy for a port that no container has',
    'deploy/kubernetes/network-policy.yaml',
    'port: metrics',
    'port: prometheus',
    /network-policy\.yaml: leads to port prometheus/,
  ],
  [
    'a probe of what the contract does not have',
    SERVER,
    '/health/live',
    '/healthz',
    /cspm-server: a probe asks for \/healthz/,
  ],
  [
    'a probe of the image of what the contract does not have',
    'Dockerfile',
    '/health/ready',
    '/healthz',
    /^Dockerfile: a probe asks for \/healthz/,
  ],
  [
    'a probe at a port that is not there',
    SERVER,
    'path: /health/live, port: http',
    'path: /health/live, port: web',
    /a probe asks at a port/,
  ],
  // In operation
  [
    'an image without a tag, in the Dockerfile',
    'Dockerfile',
    /node:\S+ AS/,
    'node AS',
    /^Dockerfile: the image node may/,
  ],
  [
    'an image without a tag, in Compose',
    COMPOSE,
    'nginx:1.29',
    'nginx:latest',
    /^compose\.yaml.*(latest|tag)/,
  ],
  [
    'an image without a tag, in the cluster',
    KUSTOMIZATION,
    'newTag: local',
    'newTag: latest',
    /cspm-worker: the image cspm:latest may/,
  ],
  ['an image that runs as root', 'Dockerfile', 'USER node', 'USER 0', /^Dockerfile: runs as root/],
  [
    'a service that runs as root',
    COMPOSE,
    'image: redis',
    'user: root\n    image: redis',
    /compose\.yaml, redis: runs as root/,
  ],
  [
    'a pod that may run as root',
    SERVER,
    'runAsNonRoot: true',
    'runAsNonRoot: false',
    /cspm-server: set runAsNonRoot/,
  ],
  [
    'a container that may become more',
    SERVER,
    'drop: ["ALL"]',
    'drop: []',
    /cspm-server, server: forbid/,
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
    /^Dockerfile: tells of docker stop -t 30/,
  ],
  [
    'more proxies believed than there are',
    COMPOSE,
    'TRUST_PROXY: "1"',
    'TRUST_PROXY: "2"',
    /server-1: TRUST_PROXY is 2, proxies there are 1/,
  ],
  [
    'an ingress that is taken for the client',
    CONFIGURATION,
    /\n {2}TRUST_PROXY.*/,
    '',
    /cspm-server: limits would apply to the ingress/,
  ],
  [
    'a proxy that passes on what clients say they are',
    NGINX,
    'For $remote_addr',
    'For $http_x_forwarded_for',
    /X-Forwarded-For has to be \$remote_addr/,
  ],
  [
    'a file that is mounted and not there',
    COMPOSE,
    'postgres-roles.sh:',
    'roles.sh:',
    /mounts \.\/deploy\/roles\.sh/,
  ],
  [
    'a manifest that is named and not there',
    KUSTOMIZATION,
    'worker.yaml',
    'workers.yaml',
    /names workers\.yaml, which is missing/,
  ],
  [
    'a manifest that is left out',
    KUSTOMIZATION,
    /\n {2}- worker.yaml/,
    '',
    /leaves worker\.yaml out/,
  ],
];

test.each(MALFORMATIONS)('%s is found', async (_, path, from, to, fault) => {
  expect((await judge(withSlip(path, from, to))).join('\n')).toMatch(new RegExp(fault, 'm'));
});

test.each(DISAGREEMENTS)('%s is found', (_, path, from, to, fault) => {
  expect(disagreements(withSlip(path, from, to)).join('\n')).toMatch(new RegExp(fault, 'm'));
});
