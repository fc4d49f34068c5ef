import { parse } from 'yaml';
import { z } from 'zod';
import { type DeploymentFiles, FILES, madeUp, textOf, variablesOf } from './files.ts';
import type { Image } from './image.ts';
import type { DeployedProcess } from './process.ts';

const Service = z.object({
  build: z.unknown().optional(),
  command: z.array(z.string()).optional(),
  /** Null: Compose passes the variable on if it is set where it runs, and leaves it out otherwise. */
  environment: z.record(z.string(), z.string().nullable()).optional(),
  healthcheck: z.object({ disable: z.boolean().default(false) }).optional(),
  stop_grace_period: z.string().optional(),
  volumes: z.array(z.string()).default([]),
});

type Service = z.infer<typeof Service>;

export type Compose = Readonly<Record<string, Service>>;

/** Variables are filled in from the example, with placeholders for the missing ones. Those that are passed on stay null. */
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

/** The variables that become part of a value, and that an operator must set or leave empty. */
export function interpolated(files: DeploymentFiles): Set<string> {
  const found = textOf(files, FILES.compose).matchAll(INTERPOLATION);
  return new Set([...found].map(([, name = '']) => name));
}

/** The variables that a service gets only if an operator sets them. */
export function passedOn(compose: Compose): Set<string> {
  const all = Object.values(compose).flatMap(({ environment = {} }) => Object.entries(environment));
  return new Set(all.flatMap(([name, value]) => (value === null ? [name] : [])));
}

export function composeProcesses(compose: Compose, image: Image): DeployedProcess[] {
  return Object.entries(compose)
    .filter(([, { build }]) => build !== undefined)
    .map(([name, service]) => ({
      where: `${FILES.compose}, ${name}`,
      name,
      environment: { ...image.environment, ...valuesOf(service.environment) },
      command: service.command ?? image.command,
      isTask: service.command?.includes('migrate') === true,
      isUnchecked: service.healthcheck?.disable === true,
      graceSeconds: secondsOf(service.stop_grace_period),
      memoryMib: null,
    }));
}

function valuesOf(environment: Service['environment'] = {}): Record<string, string> {
  const set = Object.entries(environment).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as const],
  );
  return Object.fromEntries(set);
}

/** A duration in the notation of Compose, such as `1m30s`. */
function secondsOf(duration: string | undefined): number | null {
  const [, minutes = '0', seconds = '0'] = /^(?:(\d+)m)?(?:(\d+)s)?$/.exec(duration ?? '') ?? [];
  return duration === undefined ? null : Number(minutes) * 60 + Number(seconds);
}
