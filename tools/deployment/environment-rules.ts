import { VARIABLES } from '../../server/config.ts';
import { interpolated, passedOn } from './compose.ts';
import type { Deployment } from './deployment.ts';
import { FILES, optionalVariablesOf, textOf, variablesOf } from './files.ts';
import { configOf, refusals } from './process.ts';

/** Each process gets the variables that the server requires in production, and none that it does not know. */
export function environmentFaults(deployment: Deployment): string[] {
  return [
    ...unknownVariables(deployment),
    ...refusedEnvironments(deployment),
    ...unlistedVariables(deployment),
    ...missingVariables(deployment),
    ...unsharedLimits(deployment),
    ...unknownHosts(deployment),
    ...metricsOfTheImage(deployment),
    ...trustedProxies(deployment),
  ];
}

const allProcesses = ({ processes }: Deployment) => [...processes.compose, ...processes.manifests];

function unknownVariables({ image, processes, manifests }: Deployment): string[] {
  const named = [
    [FILES.image, image.environment],
    [`${FILES.manifests} (ConfigMap and ${FILES.secret})`, manifests.environment],
    ...[...processes.compose, ...processes.manifests].map(
      ({ where, environment }) => [where, environment] as const,
    ),
  ] as const;
  const found = named.flatMap(([where, environment]) =>
    Object.keys(environment)
      .filter((name) => !VARIABLES.includes(name))
      .map(
        (name) => `${where}: the server knows no ${name}; server/config.ts has those that it knows`,
      ),
  );
  return [...new Set(found)];
}

function refusedEnvironments(deployment: Deployment): string[] {
  return allProcesses(deployment).flatMap((process) => [
    ...refusals(process).map(
      (fault) => `${process.where}: the server would not start there: ${fault}`,
    ),
    ...(configOf(process)?.production === false
      ? [`${process.where}: is no production; set NODE_ENV=production`]
      : []),
  ]);
}

/** The example and compose.yaml use the same variables. The example may show those that are passed on in comments. */
function unlistedVariables({ files, compose }: Deployment): string[] {
  const example = textOf(files, FILES.composeEnvironment);
  const given = Object.keys(variablesOf(example));
  const listed = [...given, ...optionalVariablesOf(example)];
  const used = interpolated(files);
  const passed = passedOn(compose);
  const unlisted = [
    ...[...used].filter((name) => !given.includes(name)),
    ...[...passed].filter((name) => !listed.includes(name)),
  ];
  return [
    ...unlisted.map(
      (name) => `${FILES.composeEnvironment}: ${FILES.compose} asks for ${name}; add it`,
    ),
    ...listed
      .filter((name) => !used.has(name) && !passed.has(name))
      .map(
        (name) => `${FILES.composeEnvironment}: ${FILES.compose} does not use ${name}; remove it`,
      ),
  ];
}

/** Variables that compose.yaml does not pass to any process, with the reason. */
const NOT_IN_COMPOSE: Readonly<Record<string, string>> = {
  GOOGLE_APPLICATION_CREDENTIALS: 'the file must be mounted too; docs/production.md has an example',
  REDIS_MODE: 'the Redis of compose.yaml is a single server',
  REDIS_SENTINEL_MASTER: 'the same',
  REDIS_SENTINEL_PASSWORD: 'the same',
};

/** Credentials that only a server checks. */
const FOR_SERVERS = [
  'BREAK_GLASS_ENABLED',
  'BREAK_GLASS_TTL_MINUTES',
  'GLOBAL_API_KEY',
  'GLOBAL_API_KEY_TENANT',
  'MASTER_KEY',
];

/** A variable that compose.yaml does not pass to a process has no effect in .env. */
function missingVariables({ image, compose, processes }: Deployment): string[] {
  return processes.compose.flatMap(({ where, name: service, isTask, environment }) => {
    const isServer = !isTask && environment['WORKER'] !== 'only';
    const passed = { ...image.environment, ...compose[service]?.environment };
    return VARIABLES.filter(
      (name) =>
        !(name in passed) && !(name in NOT_IN_COMPOSE) && (isServer || !FOR_SERVERS.includes(name)),
    ).map((name) => `${where}: does not get ${name}, so it has no effect in .env; pass it on`);
  });
}

/** Several servers would each count rate limits separately. */
function unsharedLimits({ processes, manifests }: Deployment): string[] {
  const several = {
    compose: processes.compose.filter((process) => configOf(process)?.worker !== 'only'),
    manifests: processes.manifests.filter(({ where }) =>
      manifests.workloads.some(
        (workload) => workload.where === where && workload.spec.replicas > 1,
      ),
    ),
  };
  return [...several.compose, ...several.manifests].flatMap((process) =>
    process.isTask || configOf(process)?.redisUrl !== null
      ? []
      : [`${process.where}: is one of several and counts rate limits for itself; set REDIS_URL`],
  );
}

const ADDRESSES = ['DATABASE_URL', 'DATABASE_APP_URL', 'DATABASE_WORKER_URL', 'REDIS_URL'];

/** In Compose, services find each other by name. */
function unknownHosts({ processes, compose }: Deployment): string[] {
  return processes.compose.flatMap(({ where, environment }) =>
    ADDRESSES.flatMap((name) => {
      const url = environment[name];
      const host = url !== undefined && URL.canParse(url) ? new URL(url).hostname : null;
      return host === null || host in compose
        ? []
        : [`${where}: ${name} leads to ${host}, which is no service of ${FILES.compose}`];
    }),
  );
}

/** An image that enables metrics would do so in deployments that do not restrict access to them. */
function metricsOfTheImage({ image }: Deployment): string[] {
  return 'METRICS_PORT' in image.environment
    ? [
        `${FILES.image}: turns metrics on for everybody; set METRICS_PORT in the deployment, which says who may read them`,
      ]
    : [];
}

/** One hop in Compose, and at least one in front of a cluster. */
function trustedProxies({ processes, compose }: Deployment): string[] {
  const hops = Object.values(compose).filter(({ volumes }) =>
    volumes.some((volume) => volume.includes(FILES.proxy)),
  ).length;
  const wrong = processes.compose.flatMap((process) => {
    const trusted = configOf(process)?.trustProxy;
    return trusted === undefined || trusted === hops
      ? []
      : [`${process.where}: TRUST_PROXY is ${trusted}, and ${hops} proxies are in front of it`];
  });
  const unset = processes.manifests.flatMap((process) =>
    configOf(process)?.trustProxy === false
      ? [`${process.where}: rate limits would count the ingress as the client; set TRUST_PROXY`]
      : [],
  );
  return [...wrong, ...unset];
}
