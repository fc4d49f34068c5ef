import { openStage, type Stage } from './stage.ts';
import type { Ability, CallName, Subject } from './subject.ts';

/** The numbered rules of section Retry in the SDK's specification. */
export const RULES = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

/** The measured goals of the specification that a server can observe. `npm run check` measures sizes. */
export const GOALS = [
  'requests on a bare 429',
  'Retry-After 2 s',
  'Retry-After 90 s',
  'HTTP-date',
  'RateLimit header',
  'POST after reset',
  'key',
  'abort in a sleep',
  'requests per always-failing call',
] as const;

/** A rule by its number, or another line of the specification by its subject. */
export type Line =
  | (typeof RULES)[number]
  | 'createClient'
  | 'methods'
  | 'lists'
  | 'errors'
  | 'onStepUp';

export interface Case {
  /** Never changes and is never reused. */
  readonly id: string;
  /** The line of the specification that it tests. */
  readonly line: Line;
  readonly goal?: (typeof GOALS)[number];
  /** The requirement, as the end of "The client …". */
  readonly title: string;
  /** What a client must support for the case to apply. */
  readonly needs: readonly Need[];
  /**
   * `clock`: takes too long in real time, so the case applies only to clients with an injectable clock. `real`: tests
   * real time. Omitted: both.
   */
  readonly time?: 'clock' | 'real';
  /** Sends so many requests that it disturbs the timing of parallel cases. */
  readonly crowd?: true;
  /** Rejects when the client does not meet the requirement. */
  run(stage: Stage): Promise<void>;
}

export type Need = CallName | Ability | 'list' | 'stream';

export type Verdict = 'pass' | 'fail' | 'n.a.';

export interface Result {
  readonly id: string;
  readonly verdict: Verdict;
  /** Why it failed or does not apply. */
  readonly why?: string;
}

/** Thrown by a case that turns out not to apply to this client. */
export class NotApplicable extends Error {}

/**
 * Runs one case with one client. Uses real time when requested and allowed by the case, so that clients without an
 * injectable clock are compared under equal conditions.
 */
export async function examine(
  subject: Subject,
  one: Case,
  { real, limitMs }: { readonly real: boolean; readonly limitMs: number },
): Promise<Result> {
  const { id } = one;
  const missing = missingFrom(subject, one);
  if (missing !== undefined) return { id, verdict: 'n.a.', why: missing };
  const stage = await openStage(subject, one.time === 'real' || (real && one.time !== 'clock'));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<never>((_, reject) => {
    const stop = () => reject(new Error(`still busy after ${limitMs} ms`));
    timer = setTimeout(stop, limitMs);
  });
  try {
    await Promise.race([one.run(stage), limit]);
    return { id, verdict: 'pass' };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { id, verdict: error instanceof NotApplicable ? 'n.a.' : 'fail', why };
  } finally {
    clearTimeout(timer);
    await stage.close();
  }
}

function missingFrom(subject: Subject, { needs, time }: Case): string | undefined {
  if (time === 'clock' && !subject.clocked) return 'no seam for time';
  const has = (need: Need) =>
    need === 'list' || need === 'stream'
      ? subject[need] !== undefined
      : need in subject.routes || subject.abilities.has(need as Ability);
  return needs.find((need) => !has(need));
}
