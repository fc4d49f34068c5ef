import { STOPS_WITHIN_MS } from '../../server/start/stop-times.ts';
import type { Deployment } from './deployment.ts';
import { FILES } from './files.ts';
import { configOf } from './process.ts';

/** What hurts only once it runs: an image that changes by itself, root, an end that comes too soon, a forged address. */
export function safetyFaults(deployment: Deployment): string[] {
  return [
    ...unpinnedImages(deployment),
    ...rootProcesses(deployment),
    ...shortEnds(deployment),
    ...believedProxies(deployment),
    ...missingFiles(deployment),
  ];
}

function unpinnedImages({ image, compose, manifests }: Deployment): string[] {
  const kustomized = new Map(
    manifests.kustomization.images.map(({ name, newName, newTag }) => [
      name,
      `${newName}:${newTag}`,
    ]),
  );
  const used = [
    ...image.bases.map((name) => [FILES.image, name] as const),
    ...Object.values(compose).flatMap((service) =>
      service.image === undefined ? [] : [[FILES.compose, service.image] as const],
    ),
    ...manifests.workloads.flatMap(({ where, spec }) =>
      spec.template.spec.containers.map(
        ({ image: name }) => [where, kustomized.get(name) ?? name] as const,
      ),
    ),
  ];
  return used.flatMap(([where, name]) =>
    /(:(?!latest$)[\w.-]+|@sha256:[0-9a-f]{64})$/.test(name)
      ? []
      : [`${where}: the image ${name} may be another one tomorrow; give it a tag (not latest)`],
  );
}

const ROOT = /^(root|0)(:|$)/;

function rootProcesses({ image, compose, manifests }: Deployment): string[] {
  const faults: string[] = [];
  if (image.user === null || ROOT.test(image.user)) {
    faults.push(`${FILES.image}: runs as root; end its last stage with USER node`);
  }
  for (const [name, { user = '', privileged }] of Object.entries(compose)) {
    if (ROOT.test(user) || privileged === true) {
      faults.push(`${FILES.compose}, ${name}: runs as root or privileged; leave that out`);
    }
  }
  for (const { where, spec } of manifests.workloads) {
    const { securityContext, containers } = spec.template.spec;
    if (securityContext.runAsNonRoot !== true || securityContext.seccompProfile === undefined) {
      faults.push(`${where}: set runAsNonRoot and seccompProfile, which the namespace demands`);
    }
    for (const { name, securityContext: own } of containers) {
      const restricted =
        own.allowPrivilegeEscalation === false && own.capabilities?.drop.includes('ALL') === true;
      if (!restricted) {
        faults.push(`${where}, ${name}: forbid allowPrivilegeEscalation, drop ALL capabilities`);
      }
    }
  }
  return faults;
}

/** Whoever is killed before its own hard end loses what it was about to finish. */
function shortEnds({ processes, image }: Deployment): string[] {
  const leastSeconds = STOPS_WITHIN_MS / 1_000 + 1;
  const faults = Object.entries({ ...processes })
    .flatMap(([kind, some]) => some.map((process) => ({ kind, ...process })))
    .filter(({ isTask, graceSeconds }) => !isTask && (graceSeconds ?? 0) < leastSeconds)
    .map(
      ({ kind, where, graceSeconds }) =>
        `${where}: is killed after ${graceSeconds ?? 'too few'} s, and needs up to ${leastSeconds - 1} s to end by itself; set ${kind === 'compose' ? 'stop_grace_period: 40s' : 'terminationGracePeriodSeconds: 40'}`,
    );
  const told = Number(/docker stop -t (\d+)/.exec(image.text)?.[1] ?? Number.POSITIVE_INFINITY);
  if (told < leastSeconds) faults.push(`${FILES.image}: tells of docker stop -t ${told}; say 40`);
  return faults;
}

/** The address that nginx sees, alone or as the last one of those that the header has: the last one is what counts. */
const SEEN_BY_THE_PROXY: ReadonlySet<string | null> = new Set([
  '$remote_addr',
  '$proxy_add_x_forwarded_for',
]);

/** One hop in Compose, and at least one before a cluster. */
function believedProxies({ processes, compose, proxy, manifests }: Deployment): string[] {
  const hops = Object.values(compose).filter(({ volumes }) =>
    volumes.some((volume) => volume.includes(FILES.proxy)),
  ).length;
  const faults: string[] = [];
  if (!SEEN_BY_THE_PROXY.has(proxy.forwardedFor)) {
    faults.push(
      `${FILES.proxy}: X-Forwarded-For has to be $remote_addr, or clients say who they are themselves`,
    );
  }
  for (const process of processes.compose) {
    const believed = configOf(process)?.trustProxy;
    if (believed !== undefined && believed !== hops) {
      faults.push(`${process.where}: TRUST_PROXY is ${believed}, proxies there are ${hops}`);
    }
  }
  for (const process of processes.manifests) {
    if (configOf(process)?.trustProxy === false) {
      faults.push(`${process.where}: limits would apply to the ingress; set TRUST_PROXY`);
    }
  }
  if (manifests.workloads.length === 0) faults.push(`${FILES.manifests}: starts nothing`);
  return faults;
}

/** What is mounted and what kustomize is to apply. */
function missingFiles({ files, compose, manifests }: Deployment): string[] {
  const mounted = Object.values(compose).flatMap(({ volumes }) =>
    volumes.flatMap((volume) => /^\.\/([^:]+):/.exec(volume)?.[1] ?? []),
  );
  const { resources } = manifests.kustomization;
  return [
    ...mounted
      .filter((path) => files[path] === undefined)
      .map((path) => `${FILES.compose}: mounts ./${path}, which is missing`),
    ...resources
      .filter((name) => !manifests.names.includes(name))
      .map((name) => `${FILES.kustomization}: names ${name}, which is missing`),
    ...manifests.names
      .filter((name) => !resources.includes(name))
      .map((name) => `${FILES.kustomization}: leaves ${name} out; name it among resources`),
  ];
}
