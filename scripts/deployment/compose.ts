import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DCLinter } from 'dclint';
import { parse } from 'yaml';
import { z } from 'zod';
import { type DeploymentFiles, FILES, madeUp, textOf, variablesOf } from './files.ts';
import type { Image } from './image.ts';
import type { DeployedProcess } from './process.ts';

const Service = z.object({
  build: z.unknown().optional(),
  image: z.string().optional(),
  user: z.string().optional(),
  privileged: z.boolean().optional(),
  command: z.union([z.string(), z.array(z.string())]).optional(),
  environment: z.record(z.string(), z.string()).optional(),
  stop_grace_period: z.string().optional(),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
});

export type ComposeService = z.infer<typeof Service>;

export type Compose = Readonly<Record<string, ComposeService>>;

/** Of dclint's rules those of taste are left out: about order, and about an image that is built and has a name. */
const RULES = {
  'no-build-and-image': 0,
  'no-unbound-port-interfaces': 0,
  'require-quotes-in-ports': [2, { quoteType: 'double' }],
  'service-dependencies-alphabetical-order': 0,
  'service-keys-order': 0,
  'service-ports-alphabetical-order': 0,
  'services-alphabetical-order': 0,
  'top-level-properties-order': 0,
} satisfies ConstructorParameters<typeof DCLinter>[0]['rules'];

/** Its own types cannot be resolved from here. */
interface Message {
  readonly line: number;
  readonly message: string;
  readonly rule: string;
}

/** What the Compose specification's schema says of it, and dclint's rules. */
export async function composeSyntaxFaults(files: DeploymentFiles): Promise<string[]> {
  // It reads files, and nothing else.
  const folder = await mkdtemp(join(tmpdir(), 'cspm-compose-'));
  try {
    const file = join(folder, 'compose.yaml');
    await writeFile(file, textOf(files, FILES.compose));
    const linter = new DCLinter({ rules: RULES, quiet: false, debug: false, exclude: [] });
    const results: readonly { messages: readonly Message[] }[] = linter.lintFiles([file], false);
    return results
      .flatMap(({ messages }) => messages)
      .map(({ line, message, rule }) => `${FILES.compose}:${line}: ${message} (${rule})`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** With its variables filled in from the example, and made up where it leaves them open. */
export function composeOf(files: DeploymentFiles): Compose {
  const given = variablesOf(textOf(files, FILES.composeEnvironment));
  const fill = (text: string) =>
    text.replaceAll(
      INTERPOLATION,
      (_, name: string, how?: string, word = '') =>
        given[name] || (how === ':-' ? word : madeUp(name)),
    );
  const read = parse(textOf(files, FILES.compose), { merge: true });
  // As Compose does it: text by text, once it is read.
  const filled = JSON.parse(JSON.stringify(read), (_, value: unknown) =>
    typeof value === 'string' ? fill(value) : value,
  );
  return z.object({ services: z.record(z.string(), Service) }).parse(filled).services;
}

const INTERPOLATION = /\$\{([A-Z_]+)(?:(:-|:\?)([^}]*))?\}/g;

/** The variables that whoever runs it has to give, or may. */
export function interpolated(files: DeploymentFiles): Set<string> {
  const found = textOf(files, FILES.compose).matchAll(INTERPOLATION);
  return new Set([...found].map(([, name = '']) => name));
}

export function composeProcesses(compose: Compose, image: Image): DeployedProcess[] {
  return Object.entries(compose)
    .filter(([, { build }]) => build !== undefined)
    .map(([name, service]) => ({
      where: `${FILES.compose}, ${name}`,
      name,
      environment: { ...image.environment, ...service.environment },
      isTask: service.command?.includes('migrate') === true,
      graceSeconds: secondsOf(service.stop_grace_period),
    }));
}

/** `1m30s` as Compose writes it. */
function secondsOf(duration: string | undefined): number | null {
  const [, minutes = '0', seconds = '0'] = /^(?:(\d+)m)?(?:(\d+)s)?$/.exec(duration ?? '') ?? [];
  return duration === undefined ? null : Number(minutes) * 60 + Number(seconds);
}
