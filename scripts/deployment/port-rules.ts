import { contract } from '@cspm/contract';
import type { Deployment } from './deployment.ts';
import { FILES } from './files.ts';
import type { ManifestContainer } from './manifests.ts';
import { configOf } from './process.ts';

/** Whoever knocks knocks where somebody listens: proxies, probes, services and collectors of metrics. */
export function portFaults(deployment: Deployment): string[] {
  return [
    ...imagePorts(deployment),
    ...proxyPorts(deployment),
    ...manifestPorts(deployment),
    ...references(deployment),
    ...healthPaths(deployment),
  ];
}

function imagePorts({ image }: Deployment): string[] {
  const { PORT, METRICS_PORT } = image.environment;
  const expected = [PORT, METRICS_PORT].map(Number);
  return [
    ...(String(image.ports) === String(expected)
      ? []
      : [
          `${FILES.image}: EXPOSE says ${image.ports.join(' ')}, ENV PORT and METRICS_PORT say ${expected.join(' ')}; make them the same`,
        ]),
    ...(/\$\{process\.env\.PORT\}/.test(image.probe)
      ? []
      : [`${FILES.image}: HEALTHCHECK has to ask at the port of PORT`]),
  ];
}

function proxyPorts({ proxy, compose, processes }: Deployment): string[] {
  const faults: string[] = [];
  if (proxy.upstreams.length === 0) faults.push(`${FILES.proxy}: leads to no server`);
  for (const { host, port } of proxy.upstreams) {
    const process = processes.compose.find(({ name }) => name === host);
    const config = process === undefined ? null : configOf(process);
    if (process === undefined) {
      faults.push(`${FILES.proxy}: ${host} is no server of ${FILES.compose}; name one that is`);
    } else if (config !== null && (config.port !== port || config.worker === 'only')) {
      faults.push(
        `${FILES.proxy}: leads to ${host}:${port}, where ${config.worker === 'only' ? 'a worker serves nothing' : `the server listens on ${config.port}`}`,
      );
    }
  }
  const published = Object.values(compose).filter(({ ports }) => ports.length > 0);
  for (const port of published.flatMap(({ ports }) => ports)) {
    if (Number(port.split(':').at(-1)) !== proxy.listens) {
      faults.push(
        `${FILES.compose}: publishes ${port}, and ${FILES.proxy} listens on ${proxy.listens}; publish that one`,
      );
    }
  }
  return faults;
}

function manifestPorts({ manifests, processes }: Deployment): string[] {
  return manifests.workloads.flatMap(({ where, spec }) =>
    spec.template.spec.containers.flatMap((container) => {
      const process = processes.manifests.find(
        (other) => other.where === where && other.name === container.name,
      );
      const config = process === undefined ? null : configOf(process);
      if (config === null) return [];
      const { annotations } = spec.template.metadata;
      const scraped = annotations['prometheus.io/port'];
      return [
        ...container.ports.flatMap(({ name, containerPort }) => {
          const listens = { http: config.port, metrics: config.metricsPort }[name];
          return listens === containerPort
            ? []
            : [
                `${where}: port ${name} is ${containerPort}, the server's ${listens ?? 'is not on'}`,
              ];
        }),
        ...(scraped === undefined || Number(scraped) === config.metricsPort
          ? []
          : [`${where}: prometheus.io/port is ${scraped}, METRICS_PORT ${config.metricsPort}`]),
      ];
    }),
  );
}

const has = (container: ManifestContainer, port: number | string) =>
  container.ports.some(({ name, containerPort }) => port === name || port === containerPort);

/** Services and policies: pods by their labels, and ports that these have. */
function references({ manifests }: Deployment): string[] {
  return manifests.references.flatMap(({ where, labels, port }) => {
    const pods = manifests.workloads.filter(({ spec }) =>
      Object.entries(labels).every(
        ([name, value]) => spec.template.metadata.labels[name] === value,
      ),
    );
    if (pods.length === 0) return [`${where}: no pod has the labels ${JSON.stringify(labels)}`];
    const open = pods.some(({ spec }) =>
      spec.template.spec.containers.some((container) => has(container, port)),
    );
    return open ? [] : [`${where}: leads to port ${port}, which no container there has`];
  });
}

const ANSWERED: ReadonlySet<string> = new Set(Object.values(contract.meta).map(({ path }) => path));

function healthPaths({ image, manifests }: Deployment): string[] {
  const asked = [
    [FILES.image, /PORT\}(\/[^`'"]*)/.exec(image.probe)?.[1] ?? 'nothing', true] as const,
    ...manifests.workloads.flatMap(({ where, spec }) =>
      spec.template.spec.containers.flatMap((container) =>
        [container.startupProbe, container.readinessProbe, container.livenessProbe].flatMap(
          (probe) =>
            probe === undefined
              ? []
              : [[where, probe.httpGet.path, has(container, probe.httpGet.port)] as const],
        ),
      ),
    ),
  ];
  return asked.flatMap(([where, path, open]) => [
    ...(ANSWERED.has(path)
      ? []
      : [`${where}: a probe asks for ${path}, which is not in the contract`]),
    ...(open ? [] : [`${where}: a probe asks at a port that the container does not have`]),
  ]);
}
