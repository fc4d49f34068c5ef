import { VARIABLES } from '../../server/config.ts';
import { interpolated } from './compose.ts';
import type { Deployment } from './deployment.ts';
import { FILES, textOf, variablesOf } from './files.ts';
import { configOf, refusals } from './process.ts';

/** Each process is given what the server asks for in production, and nothing that it does not know. */
export function environmentFaults(deployment: Deployment): string[] {
  return [
    ...unknownVariables(deployment),
    ...refusedEnvironments(deployment),
    ...unlistedVariables(deployment),
    ...unsharedLimits(deployment),
    ...unknownHosts(deployment),
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

/** The example and compose.yaml speak of the same variables. */
function unlistedVariables({ files }: Deployment): string[] {
  const listed = Object.keys(variablesOf(textOf(files, FILES.composeEnvironment)));
  const used = interpolated(files);
  return [
    ...[...used]
      .filter((name) => !listed.includes(name))
      .map((name) => `${FILES.composeEnvironment}: ${FILES.compose} asks for ${name}; add it`),
    ...listed
      .filter((name) => !used.has(name))
      .map(
        (name) => `${FILES.composeEnvironment}: ${FILES.compose} does not use ${name}; remove it`,
      ),
  ];
}

/** Several servers would each count rate limits for themselves. */
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

/** In Compose services find each other by their names. */
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
