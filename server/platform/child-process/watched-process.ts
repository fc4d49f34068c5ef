import { type ChildProcess, fork } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { lowerPriority, lowerSession, SHARES_AMONG_SESSIONS } from '../priority.ts';
import { ProcessUnavailable } from './process-unavailable.ts';
import { type Progress, ProgressFile } from './progress-file.ts';

/** Limits of a child process. */
export interface ProcessLimits {
  /** CPU time of one piece of work, in milliseconds. */
  readonly evaluationMs: number;
  /** V8 heap, in MiB. */
  readonly memoryMb: number;
  /** V8 heap before the first full garbage collection, in MiB. Default: chosen by V8. */
  readonly initialHeapMb?: number;
  /** V8 semi-space, a third of the memory of young objects, in MiB, from the start. Default: chosen by V8, and growing. */
  readonly semiSpaceMb?: number;
  /** Bytecode of called functions that V8 compiles into one function, in bytes. Default: chosen by V8. */
  readonly inlinedBytecode?: number;
  /** How far its priority is below that of this process, as a nice value from 0 to 19. Default: 0. */
  readonly niceness?: number;
  /** Time until the program is loaded, in milliseconds. Default: five minutes. */
  readonly startMs?: number;
}

/** A program that runs in a child process. */
export interface Program extends ProcessLimits {
  /** Its file name in the bundle. */
  readonly name: string;
  /** The URL of a module in the same source folder. */
  readonly beside: string;
  readonly args: readonly string[];
  /** Whether it reads `input`. Default: its standard input is empty. */
  readonly takesInput?: boolean;
}

/** Why a child ended or was killed, and its progress at that moment. */
export interface Stopped extends Pick<Progress, 'rule' | 'asset'> {
  readonly kind: 'stopped';
  readonly reason: string;
}

/** The child was killed because its answer is no longer wanted. */
export interface Interrupted {
  readonly kind: 'interrupted';
}

export interface AskOptions<Part> {
  /** Receives what the child sends before its answer. */
  readonly onPart?: (part: Part) => void;
  /** Checked every half second; the child is killed once it returns true. */
  readonly isUnwanted?: () => boolean;
}

/**
 * Time for starting Node and loading the program. A child of low priority gets little of a busy machine: with 20 other
 * processes on 2 cores, the sources with their loader took longer than a minute.
 */
const START_MS = 300_000;
/** The child watches its own time; if that fails, it is killed after this multiple of its limit. */
const PATIENCE = 30;
const LOOK_EVERY_MS = 250;
/** Bytes kept of what a child prints before it fails. */
const LAST_WORDS = 2_000;

/** Memory that Node needs besides the heap: code, stacks, young objects, and messages while they are read. */
const BESIDE_HEAP_MB = 160;
/** Memory that the system may have reserved for a process beyond what it uses, mainly thread stacks. */
const PROMISED_MB = 256;
/**
 * From Node 24 on, V8 reserves the addresses of compiled code as writable, which the system counts as data. The part
 * that is not used takes no memory, so the limit grows by the reservation.
 */
const CODE_RANGE_MB = Number.parseInt(process.versions.node, 10) >= 24 ? 512 : 0;

/** Resident memory limit of the child, in MiB. Buffers are outside V8's heap, so the heap limit alone is not enough. */
export function residentLimitMb({ memoryMb }: Pick<ProcessLimits, 'memoryMb'>): number {
  return memoryMb + BESIDE_HEAP_MB;
}

/**
 * A supervised child process with limits on time and memory: each request is answered, or the child is killed and the
 * reason is the answer. A worker thread is not enough: when it runs out of memory it can crash the whole process, and
 * its CPU time cannot be measured. Three memory limits apply: V8's heap limit, the system's limit on the data of the
 * process (if a shell can set it), and the resident memory, which both the child and this process check.
 */
export class WatchedProcess<Request, Answer extends { readonly kind: string }, Part = never> {
  readonly #child: ChildProcess;
  readonly #progress = newProgressFile();
  readonly #limits: ProcessLimits;
  readonly #ended: Promise<void>;
  #settle: ((answer: Answer | Stopped | Interrupted | Error) => void) | null = null;
  #onPart: ((part: Part) => void) | null = null;
  #lastWords = '';
  #closed = false;
  #failure: Error | null = null;
  #isTooLarge = false;

  /** @throws {ProcessUnavailable} when there is no room for its progress file, or the system refuses another process */
  constructor({ name, beside, args, takesInput = false, ...limits }: Program) {
    this.#limits = limits;
    const { niceness = 0 } = limits;
    const { file, loader } = programFile(name, beside);
    const node = [...v8Flags(limits), ...loader];
    this.#child = this.#forked(file, [...args], {
      // The child gets only the folder for temporary files of this environment, above all no secrets.
      env: { TMPDIR: tmpdir() },
      ...limitedBySystem(limits, node),
      serialization: 'advanced',
      // A session of its own, which can have a lower priority than that of this process.
      detached: niceness > 0 && SHARES_AMONG_SESSIONS,
      stdio: [
        takesInput ? 'pipe' : 'ignore',
        ...(['ignore', 'pipe', 'ipc', this.#progress.descriptor] as const),
      ],
    });
    if (niceness > 0 && this.#child.pid !== undefined) {
      // On Linux a nice value belongs to a thread, so the shell has set it before node has threads.
      if (!HAS_SHELL) lowerPriority(this.#child.pid, niceness);
      void lowerSession(this.#child.pid, niceness);
    }
    // The write reports the error too; without a listener it would end this process.
    this.#child.stdin?.on('error', () => undefined);
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#lastWords = `${this.#lastWords}${text}`.slice(-LAST_WORDS);
    });
    this.#child.on('message', (message: Answer | { kind: 'part'; part: Part }) => {
      if (message.kind === 'part' && 'part' in message) this.#onPart?.(message.part);
      // Messages are distinguished by `kind`; an answer never has the kind `part`.
      else this.#settle?.(message as Answer);
    });
    this.#child.on('error', (error) => {
      this.#failure ??= this.pid === undefined ? new ProcessUnavailable(error) : error;
      this.#settle?.(this.#failure);
    });
    this.#ended = new Promise((ended) => {
      this.#child.once('exit', (code, signal) => {
        const lastWords = `A child process exited with ${code}: ${this.#lastWords}`;
        // A shell reports the signal that killed its process in the exit code.
        const isKilled = signal !== null || (code !== null && code > 128);
        this.#settle?.(
          isKilled || this.#isOutOfMemory ? this.#stopped(false) : new Error(lastWords),
        );
        ended();
      });
      this.#child.once('error', () => {
        if (this.#child.pid === undefined) ended();
      });
    });
  }

  /** Node throws some refusals of the system, such as ENOMEM, and reports others by an event. */
  #forked(...given: Parameters<typeof fork>): ChildProcess {
    try {
      return fork(...given);
    } catch (error) {
      this.#progress.close();
      throw new ProcessUnavailable(error);
    }
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Its standard input. */
  get input(): Writable {
    const { stdin } = this.#child;
    if (stdin === null) throw new Error('The child process takes no input');
    return stdin;
  }

  /** Whether the process has ended, for any reason. */
  get isOver(): boolean {
    return this.#closed || this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /**
   * Sends one request at a time.
   * @throws {ProcessUnavailable} when the child could not be started, or not in time; {Error} when it failed because of
   *   a defect.
   */
  async ask(
    request: Request,
    { onPart, isUnwanted }: AskOptions<Part> = {},
  ): Promise<Answer | Stopped | Interrupted> {
    let watchdog: NodeJS.Timeout | undefined;
    const settled = new Promise<Answer | Stopped | Interrupted | Error>((settle) => {
      this.#settle = settle;
      this.#onPart = onPart ?? null;
      watchdog = this.#watch(settle, isUnwanted);
      // If sending fails, the child is about to end, which is detected elsewhere; the message itself is always
      // serializable.
      // A process that could not be started has no channel, and reports why by an event.
      this.#child.send?.(request as object, () => undefined);
      if (this.#failure !== null) settle(this.#failure);
      else if (this.isOver) settle(this.#stopped(false));
    });
    const answer = await settled.finally(() => clearInterval(watchdog));
    this.#settle = null;
    this.#onPart = null;
    const isAnswer = !(answer instanceof Error) && !isEnd(answer);
    if (!isAnswer) await this.close();
    if (answer instanceof Error) throw answer;
    return answer;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#child.kill('SIGKILL');
    await this.#ended;
    this.#progress.close();
  }

  get #isOutOfMemory(): boolean {
    return /out of memory|Allocation failed/i.test(this.#lastWords);
  }

  #watch(
    settle: (answer: Stopped | Interrupted | Error) => void,
    isUnwanted?: () => boolean,
  ): NodeJS.Timeout {
    let seen = this.#progress.read().count;
    let since = performance.now();
    return setInterval(() => {
      if (this.#closed) return;
      if (isUnwanted?.() === true) settle({ kind: 'interrupted' });
      void this.#weigh(settle);
      const { count } = this.#progress.read();
      if (count !== seen) {
        seen = count;
        since = performance.now();
      }
      const waited = performance.now() - since;
      const { startMs = START_MS } = this.#limits;
      if (count === 0 && waited > startMs) {
        const late = new Error(`A child process did not start within ${startMs / 1000} s`);
        settle(new ProcessUnavailable(late));
      }
      if (count > 0 && waited > PATIENCE * this.#limits.evaluationMs) settle(this.#stopped(true));
    }, LOOK_EVERY_MS);
  }

  async #weigh(settle: (answer: Stopped) => void): Promise<void> {
    const resident = await residentMb(this.pid);
    if (resident <= residentLimitMb(this.#limits) || this.#closed) return;
    this.#isTooLarge = true;
    settle(this.#stopped(false));
  }

  /** V8 aborts when it runs out of memory; the system may send the same signal. */
  #stopped(isLate: boolean): Stopped {
    const { evaluationMs, memoryMb } = this.#limits;
    const { rule, asset, ...mark } = this.#progress.read();
    const reason =
      (isLate || mark.isLate) && !this.#isTooLarge
        ? `took longer than ${evaluationMs / 1000} s`
        : `took more than ${memoryMb} MB of memory`;
    return { kind: 'stopped', rule, asset, reason };
  }
}

function newProgressFile(): ProgressFile {
  try {
    return new ProgressFile();
  } catch (error) {
    throw new ProcessUnavailable(error);
  }
}

function v8Flags(limits: ProcessLimits): string[] {
  const flags = {
    // Threads beside the main one, which collect garbage and compile.
    'v8-pool-size': 1,
    'max-old-space-size': limits.memoryMb,
    'initial-heap-size': limits.initialHeapMb,
    'min-semi-space-size': limits.semiSpaceMb,
    'max-semi-space-size': limits.semiSpaceMb,
    'max-inlined-bytecode-size-cumulative': limits.inlinedBytecode,
  };
  return Object.entries(flags).flatMap(([flag, value]) =>
    value === undefined ? [] : `--${flag}=${value}`,
  );
}

function isEnd(answer: { readonly kind: string }): boolean {
  return answer.kind === 'stopped' || answer.kind === 'interrupted';
}

/** On systems other than Linux, only the child checks its memory. */
async function residentMb(pid: number | undefined): Promise<number> {
  if (process.platform !== 'linux' || pid === undefined) return 0;
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024;
}

const SHELL = '/bin/sh';
const HAS_SHELL = process.platform === 'linux' && existsSync(SHELL);

/**
 * Uses a shell to set the memory limit and the priority and then exec node, so that all threads have the priority.
 * `ulimit -d` limits heap, buffers and stacks (RLIMIT_DATA); `ulimit -v` would count address space that Node reserves
 * and never uses. Without a shell or this limit, the other limits apply.
 */
function limitedBySystem(limits: ProcessLimits, node: readonly string[]) {
  if (!HAS_SHELL) return { execArgv: [...node] };
  const kilobytes = (residentLimitMb(limits) + PROMISED_MB + CODE_RANGE_MB) * 1024;
  const { niceness = 0 } = limits;
  // Without the program `nice`, the child has the usual priority.
  const nice =
    niceness === 0 ? '' : `command -v nice >/dev/null && exec nice -n ${niceness} "$0" "$@"; `;
  const script = `ulimit -d ${kilobytes} 2>/dev/null; ${nice}exec "$0" "$@"`;
  return { execPath: SHELL, execArgv: ['-c', script, process.execPath, ...node] };
}

/** The bundle contains the programs; when the server runs from source, the child needs the TypeScript loader too. */
const FROM_SOURCE = import.meta.url.endsWith('.ts');

/** The folder of the bundled programs; null: beside the source. */
let programs: string | null = null;

/** Makes child processes and threads run the programs in this folder; tests that run from source call it. */
export function runProgramsOf(folder: string): void {
  programs = folder;
}

/** The file of a program in that folder; null: there is no such folder. */
export function bundledProgram(name: string): string | null {
  return programs === null ? null : join(programs, `${name}.mjs`);
}

const digests = new Map<string, Promise<string>>();

/** Differs between builds of the programs that children run. From source, it differs each time the server starts. */
export function digestOfPrograms(): Promise<string> {
  const folder = programs ?? (FROM_SOURCE ? null : fileURLToPath(new URL('.', import.meta.url)));
  const key = folder ?? '';
  const digest =
    digests.get(key) ??
    (folder === null ? Promise.resolve(randomUUID()) : digestOf(folder).catch(() => randomUUID()));
  digests.set(key, digest);
  return digest;
}

async function digestOf(folder: string): Promise<string> {
  const hash = createHash('sha256');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.mjs')).toSorted();
  for (const name of names) {
    hash.update(`${name}\0`).update(await readFile(join(folder, name)));
  }
  return hash.digest('base64url');
}

/** @param name of the program, whose source is in the same folder as `caller`. */
function programFile(name: string, caller: string): { file: string; loader: readonly string[] } {
  const bundled = bundledProgram(name);
  if (bundled !== null) return { file: bundled, loader: [] };
  const file = fileURLToPath(new URL(`./${name}.${FROM_SOURCE ? 'ts' : 'mjs'}`, caller));
  return { file, loader: FROM_SOURCE ? ['--import', 'tsx'] : [] };
}
