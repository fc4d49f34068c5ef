import { ApiError, type Cspm, type Scan } from '@cspm/sdk';
import { allowedProjects } from './known-filters.ts';
import { quantity } from './local-report.ts';
import { ProgressBar, sayOverBar } from './progress.ts';
import { printable } from './table.ts';
import { say, type Terminal } from './terminal.ts';

export async function sayUnknownProject(
  cspm: Cspm,
  name: string,
  terminal: Terminal,
): Promise<void> {
  const projects = printable(await allowedProjects(cspm));
  say(terminal, `--project: there is no project "${printable(name)}". ${projects}`);
  say(terminal, 'Choose one of them, or add --create to create the project.');
}

/** How long an interrupted command waits for the answers to the launch and to the cancellation of its scan. */
const LAUNCH_MS = 2_000;
const CANCEL_MS = 5_000;

/** After this time in the queue, a message names the usual reasons. */
const LONG_QUEUED_MS = 60_000;

interface Launch {
  readonly project: string;
  readonly profile: string;
  /** Null: without limit. */
  readonly timeoutMs: number | null;
}

/**
 * Launches a scan of one project and waits for its end, with a progress bar. An interruption cancels the scan.
 * @returns null when it was cancelled because it took too long
 */
export async function launchAndWait(
  cspm: Cspm,
  { project, profile, timeoutMs }: Launch,
  terminal: Terminal,
): Promise<Scan | null> {
  const { interrupted } = terminal;
  // Without the answer, nobody could cancel a scan that the service has started.
  const signal = delayed(interrupted, LAUNCH_MS);
  const launched = cspm.scans.launch({ projects: [project], profile }, { signal });
  const { id } = await launched.catch(async (error: unknown) => {
    if (isUnknownProject(error)) await sayUnknownProject(cspm, project, terminal);
    throw error;
  });
  // Before the wait, which may fail while the scan goes on.
  say(terminal, `Scan id: ${printable(id)}`);
  const bar = new ProgressBar(terminal);
  const late = new AbortController();
  const timers = [
    setTimeout(() => sayOverBar(terminal, LONG_QUEUED), LONG_QUEUED_MS),
    ...(timeoutMs === null ? [] : [setTimeout(() => late.abort(), timeoutMs)]),
  ];
  let status = 'queued';
  try {
    return await cspm.scans.wait(id, {
      signal: AbortSignal.any([interrupted, late.signal]),
      onProgress: (scan) => {
        const { assets, fail } = scan.totals;
        status = scan.status;
        if (status !== 'queued') clearTimeout(timers[0]);
        bar.draw(null, `${status}: ${quantity(assets, 'asset')}, ${quantity(fail, 'violation')}`);
      },
    });
  } catch (error) {
    if (!interrupted.aborted && !late.signal.aborted) throw error;
    const signal = AbortSignal.timeout(CANCEL_MS);
    const isCancelled = await cspm.scans.cancel({ id }, { signal }).then(
      () => true,
      () => false,
    );
    if (interrupted.aborted) throw error;
    bar.end();
    const outcome = isCancelled ? 'so it was cancelled' : 'and could not be cancelled';
    say(terminal, `The scan was still ${status} when the time of --timeout was over, ${outcome}.`);
    return null;
  } finally {
    for (const timer of timers) clearTimeout(timer);
    bar.end();
  }
}

const LONG_QUEUED =
  'The scan is still queued: an earlier scan of the project is running, all workers are busy, or no worker is running.';

/** Whether the scan evaluated another inventory than the uploaded one. Release 0.1.0 does not tell. */
export function isOfAnother({ projects }: Scan, uploaded: string): boolean {
  return projects.some(({ inventoryId }) => inventoryId && inventoryId !== uploaded);
}

/** A signal that is aborted some time after another. */
function delayed(signal: AbortSignal, ms: number): AbortSignal {
  const late = new AbortController();
  const abort = () => setTimeout(() => late.abort(signal.reason), ms).unref();
  signal.addEventListener('abort', abort, { once: true });
  return late.signal;
}

function isUnknownProject(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.code !== 'PREFLIGHT_BLOCKED') return false;
  return error.problem?.checks?.some(({ code }) => code === 'PROJECT_UNKNOWN') ?? false;
}
