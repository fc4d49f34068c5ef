import { parse } from 'yaml';
import { z } from 'zod';
import { type DeploymentFiles, FILES, madeUp, textOf, variablesOf } from './files.ts';
import type { Image } from './image.ts';
import type { DeployedProcess } from './process.ts';

const Service = z.object({
  build: z.unknown().optional(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).optional(),
  stop_grace_period: z.string().optional(),
  volumes: z.array(z.string()).default([]),
});

export type Compose = Readonly<Record<string, z.infer<typeof Service>>>;

/** Variables are filled in from the example, with placeholders for the missing ones. */
export function composeOf(files: DeploymentFiles): Compose {
  const given = variablesOf(textOf(files, FILES.composeEnvironment));
  const fill = (text: string) =>
    text.replaceAll(
      INTERPOLATION,
      (_, name: string, how?: string, word = '') =>
        given[name] || (how === ':-' ? word : madeUp(name)),
    );
  const read = parse(textOf(files, FILES.compose), { merge: true });
  // Compose fills in variables after it has parsed the YAML.
  const filled = JSON.parse(JSON.stringify(read), (_, value: unknown) =>
    typeof value === 'string' ? fill(value) : value,
  );
  return z.object({ services: z.record(z.string(), Service) }).parse(filled).services;
}

const INTERPOLATION = /\$\{([A-Z_]+)(?:(:-|:\?)([^}]*))?\}/g;

/** The variables that an operator must or may set. */
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
      command: service.command ?? image.command,
      isTask: service.command?.includes('migrate') === true,
      graceSeconds: secondsOf(service.stop_grace_period),
    }));
}

/** A duration in the notation of Compose, such as `1m30s`. */
function secondsOf(duration: string | undefined): number | null {
  const [, minutes = '0', seconds = '0'] = /^(?:(\d+)m)?(?:(\d+)s)?$/.exec(duration ?? '') ?? [];
  return duration === undefined ? null : Number(minutes) * 60 + Number(seconds);
}
