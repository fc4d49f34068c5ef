import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { type DeploymentFiles, FILES, madeUp, textOf, variablesOf } from './files.ts';
import type { Image } from './image.ts';
import type { DeployedProcess } from './process.ts';

const Container = z.object({
  name: z.string(),
  command: z.array(z.string()).optional(),
  env: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
  envFrom: z.array(z.unknown()).default([]),
  resources: z.object({ limits: z.object({ memory: z.string().optional() }) }).optional(),
});

const Workload = z.object({
  kind: z.enum(['Deployment', 'Job']),
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    replicas: z.number().default(1),
    template: z.object({
      spec: z.object({
        terminationGracePeriodSeconds: z.number().optional(),
        containers: z.array(Container).min(1),
      }),
    }),
  }),
});

/** A workload with its file and name. */
interface ManifestWorkload extends z.infer<typeof Workload> {
  readonly where: string;
}

export interface Manifests {
  readonly workloads: readonly ManifestWorkload[];
  /** From the ConfigMap, and from the Secret's example. */
  readonly environment: Readonly<Record<string, string>>;
}

const ConfigMap = z.object({
  kind: z.literal('ConfigMap'),
  data: z.record(z.string(), z.string()),
});

/** @throws {Error} that names the file when it is not YAML, or when a workload lacks a required part. */
export function manifestsOf(files: DeploymentFiles): Manifests {
  const documents = Object.keys(files)
    .filter((path) => path.startsWith(FILES.manifests) && path.endsWith('.yaml'))
    .flatMap((path) => documentsOf(path, textOf(files, path)));
  const config = documents.flatMap(({ document }) => {
    const parsed = ConfigMap.safeParse(document);
    return parsed.success ? Object.entries(parsed.data.data) : [];
  });
  const secret = Object.entries(variablesOf(textOf(files, FILES.secret)));
  return {
    workloads: documents.flatMap(({ path, document }) => {
      if (!Workload.shape.kind.safeParse(Object(document).kind).success) return [];
      const parsed = Workload.safeParse(document);
      if (!parsed.success) throw new Error(`${path}: ${z.prettifyError(parsed.error)}`);
      return { ...parsed.data, where: `${path}, ${parsed.data.metadata.name}` };
    }),
    environment: Object.fromEntries([
      ...config,
      ...secret.map(([name, value]) => [name, value || madeUp(name)]),
    ]),
  };
}

function documentsOf(path: string, text: string): { path: string; document: unknown }[] {
  return parseAllDocuments(text).map((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw new Error(`${path}: ${error.message}`);
    return { path, document: document.toJS() };
  });
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
      command: container.command ?? image.command,
      isTask: kind === 'Job',
      isUnchecked: false,
      graceSeconds: spec.template.spec.terminationGracePeriodSeconds ?? null,
      memoryMib: mebibytesOf(container.resources?.limits.memory),
    })),
  );
}

/** A quantity of Kubernetes such as `512Mi` or `4Gi`. */
function mebibytesOf(quantity: string | undefined): number | null {
  const [, amount, unit] = /^(\d+)([MG])i$/.exec(quantity ?? '') ?? [];
  return amount === undefined ? null : Number(amount) * (unit === 'G' ? 1024 : 1);
}
