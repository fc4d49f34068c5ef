import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { type DeploymentFiles, FILES, madeUp, textOf, variablesOf } from './files.ts';
import type { Image } from './image.ts';
import { manifestFaults } from './manifest-schemas.ts';
import type { DeployedProcess } from './process.ts';

const Labels = z.record(z.string(), z.string());
const Port = z.union([z.number(), z.string()]);
const Probe = z.object({ httpGet: z.object({ path: z.string(), port: Port }) }).optional();

const Container = z.object({
  name: z.string(),
  image: z.string(),
  env: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
  envFrom: z.array(z.unknown()).default([]),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })).default([]),
  startupProbe: Probe,
  readinessProbe: Probe,
  livenessProbe: Probe,
  securityContext: z
    .object({
      allowPrivilegeEscalation: z.boolean().optional(),
      capabilities: z.object({ drop: z.array(z.string()) }).optional(),
    })
    .default({}),
});

const Workload = z.object({
  kind: z.enum(['Deployment', 'Job']),
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    replicas: z.number().default(1),
    selector: z.object({ matchLabels: Labels }).optional(),
    template: z.object({
      metadata: z.object({ labels: Labels, annotations: Labels.default({}) }),
      spec: z.object({
        terminationGracePeriodSeconds: z.number().optional(),
        securityContext: z
          .object({ runAsNonRoot: z.boolean().optional(), seccompProfile: z.unknown() })
          .default({ seccompProfile: undefined }),
        containers: z.array(Container).min(1),
      }),
    }),
  }),
});

export type ManifestContainer = z.infer<typeof Container>;

/** Pods, and what they are made of. */
export interface ManifestWorkload extends z.infer<typeof Workload> {
  readonly where: string;
}

/** What leads to pods by their labels, to ports of theirs by name or number. */
export interface PortReference {
  readonly where: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly port: number | string;
}

export interface Manifests {
  readonly workloads: readonly ManifestWorkload[];
  readonly references: readonly PortReference[];
  /** Of the ConfigMap, and the Secret as its example has it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly kustomization: z.infer<typeof Kustomization>;
  /** Names of the files beside the kustomization. */
  readonly names: readonly string[];
}

const Kustomization = z.object({
  resources: z.array(z.string()),
  images: z
    .array(z.object({ name: z.string(), newName: z.string(), newTag: z.string() }))
    .default([]),
});

const Service = z.object({
  kind: z.literal('Service'),
  spec: z.object({ selector: Labels, ports: z.array(z.object({ targetPort: Port })) }),
});

const NetworkPolicy = z.object({
  kind: z.literal('NetworkPolicy'),
  spec: z.object({
    podSelector: z.object({ matchLabels: Labels }),
    ingress: z.array(z.object({ ports: z.array(z.object({ port: Port })) })),
  }),
});

const ConfigMap = z.object({ kind: z.literal('ConfigMap'), data: Labels });

function manifestPaths(files: DeploymentFiles): string[] {
  return Object.keys(files).filter(
    (path) =>
      path.startsWith(FILES.manifests) && path.endsWith('.yaml') && path !== FILES.kustomization,
  );
}

function documentsOf(files: DeploymentFiles): { path: string; document: unknown }[] {
  return manifestPaths(files).flatMap((path) =>
    parseAllDocuments(textOf(files, path)).map((document) => ({ path, document: document.toJS() })),
  );
}

export function manifestSyntaxFaults(files: DeploymentFiles): string[] {
  return documentsOf(files).flatMap(({ path, document }) =>
    manifestFaults(document).map((fault) => `${path}: ${fault}`),
  );
}

export function manifestsOf(files: DeploymentFiles): Manifests {
  const documents = documentsOf(files);
  const ofKind = <T>(schema: z.ZodType<T>) =>
    documents.flatMap(({ path, document }) => {
      const parsed = schema.safeParse(document);
      return parsed.success ? [{ where: path, ...parsed.data }] : [];
    });
  const config = ofKind(ConfigMap).flatMap(({ data }) => Object.entries(data));
  const secret = Object.entries(variablesOf(textOf(files, FILES.secret)));
  return {
    workloads: ofKind(Workload).map((workload) => ({
      ...workload,
      where: `${workload.where}, ${workload.metadata.name}`,
    })),
    references: [
      ...ofKind(Service).flatMap(({ where, spec }) =>
        spec.ports.map(({ targetPort }) => ({
          where,
          labels: spec.selector,
          port: targetPort,
        })),
      ),
      ...ofKind(NetworkPolicy).flatMap(({ where, spec }) =>
        spec.ingress.flatMap(({ ports }) =>
          ports.map(({ port }) => ({ where, labels: spec.podSelector.matchLabels, port })),
        ),
      ),
    ],
    environment: Object.fromEntries([
      ...config,
      ...secret.map(([name, value]) => [name, value || madeUp(name)]),
    ]),
    kustomization: Kustomization.parse(
      parseAllDocuments(textOf(files, FILES.kustomization))[0]?.toJS(),
    ),
    names: manifestPaths(files).map((path) => path.slice(FILES.manifests.length)),
  };
}

export function manifestProcesses(manifests: Manifests, image: Image): DeployedProcess[] {
  return manifests.workloads.flatMap(({ where, kind, spec }) =>
    spec.template.spec.containers.map((container) => ({
      where,
      name: container.name,
      environment: {
        ...image.environment,
        ...(container.envFrom.length > 0 ? manifests.environment : {}),
        ...Object.fromEntries(container.env.map(({ name, value }) => [name, value])),
      },
      isTask: kind === 'Job',
      graceSeconds: spec.template.spec.terminationGracePeriodSeconds ?? null,
    })),
  );
}
