import { openStage, type Stage } from './stage.ts';
import type { Ability, CallName, Subject } from './subject.ts';

/** The rules of Retry in the specification of the SDK (`spec/sdk.md`). */
export const RULES = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

/** The columns of its table "Measured on others" that a server can tell; sizes are for `npm run check`. */
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

/** A rule, or one of the other lines by its subject. */
export type Line =
  | (typeof RULES)[number]
  | 'createClient'
  | 'methods'
  | 'lists'
  | 'errors'
  | 'onStepUp';

export interface Case {
  /** Never changed and never given to another case. */
  readonly id: string;
  /** What of the specification it stands for. */
  readonly line: Line;
  readonly goal?: (typeof GOALS)[number];
  /** What must hold, as the end of "The client …". */
  readonly title: string;
  /** What a client must have for the case to say anything of it. */
  readonly needs: readonly Need[];
  /**
   * `clock`: would take too long in real time, so that it applies to clients with a seam for time. `real`: is about
   * time that passes. Left out: either.
   */
  readonly time?: 'clock' | 'real';
  /** Sends so much at once that it disturbs what is timed beside it. */
  readonly crowd?: true;
  /** Rejects when what the client did is not what must hold. */
  run(stage: Stage): Promise<void>;
}

export type Need = CallName | Ability | 'list' | 'stream';

export type Verdict = 'pass' | 'fail' | 'n.a.';

export interface Result {
  readonly id: string;
  readonly verdict: Verdict;
  /** Why it failed, or does not apply. */
  readonly why?: string;
}

/** Thrown by a case that finds out on the way that it says nothing of this client. */
export class NotApplicable extends Error {}

/**
 * Plays one case with one client. In real time where that is asked for and the case allows it, so that clients without
 * a seam are compared under the same conditions.
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
