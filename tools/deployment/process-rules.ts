import { SERVER_PROGRAMS } from '../../scripts/build.mjs';
import { SERVER_NODE_OPTIONS } from '../../scripts/node-options.mjs';
import { STOPS_WITHIN_MS } from '../../server/shutdown-timeouts.ts';
import type { Deployment } from './deployment.ts';
import { FILES } from './files.ts';

/** Every process starts a program of the build, servers with their Node options, and has enough time to stop. */
export function processFaults(deployment: Deployment): string[] {
  return [
    ...wrongCommands(deployment),
    ...shortGracePeriods(deployment),
    ...missingHealthChecks(deployment),
  ];
}

const PROGRAMS: readonly string[] = Object.keys(SERVER_PROGRAMS.entryPoints).map(
  (name) => `dist/server/${name}.mjs`,
);

const MAIN = 'dist/server/main.mjs';

function wrongCommands({ image, processes }: Deployment): string[] {
  const commands = [
    { where: FILES.image, command: image.command },
    ...processes.compose,
    ...processes.manifests,
  ];
  return commands.flatMap(({ where, command: [node = '', ...rest] }) => {
    // Options of node come first, as `--name=value`.
    const program = rest.find((argument) => !argument.startsWith('--')) ?? '';
    if (node !== 'node' || !PROGRAMS.includes(program)) {
      return [
        `${where}: starts "${node} ${program}", which the build does not make. Start node with one of ${PROGRAMS.slice(0, 2).join(', ')}`,
      ];
    }
    const missing = SERVER_NODE_OPTIONS.filter((option) => !rest.includes(option));
    return program === MAIN && missing.length > 0
      ? [
          `${where}: starts ${program} without ${missing.join(' ')}. Add what is missing between node and the program`,
        ]
      : [];
  });
}

/** `docker compose up --wait`, which the documentation uses, fails for a running service without one. */
function missingHealthChecks({ processes }: Deployment): string[] {
  return processes.compose
    .filter(({ isTask, isUnchecked }) => !isTask && isUnchecked)
    .map(
      ({ where }) =>
        `${where}: has no health check, so docker compose up --wait fails. Write one instead of disable`,
    );
}

/** A process that is killed before its own deadline loses unfinished work. */
function shortGracePeriods({ processes, image }: Deployment): string[] {
  const leastSeconds = STOPS_WITHIN_MS / 1_000 + 1;
  const faults = Object.entries({ ...processes })
    .flatMap(([kind, some]) => some.map((process) => ({ kind, ...process })))
    .filter(({ isTask, graceSeconds }) => !isTask && (graceSeconds ?? 0) < leastSeconds)
    .map(
      ({ kind, where, graceSeconds }) =>
        `${where}: is killed after ${graceSeconds ?? 'too few'} s, and needs up to ${leastSeconds - 1} s to stop. Set ${kind === 'compose' ? 'stop_grace_period: 40s' : 'terminationGracePeriodSeconds: 40'}`,
    );
  const { stopSeconds } = image;
  if (stopSeconds !== null && stopSeconds < leastSeconds) {
    faults.push(`${FILES.image}: recommends docker stop -t ${stopSeconds}. Write 40`);
  }
  return faults;
}
