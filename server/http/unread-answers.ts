import { REQUEST_LIMITS } from '@cspm/contract';
import type { Response } from 'express';
import { ProblemError } from '../platform/problem.ts';
import { slowestFirst, TransferPace } from '../platform/transfer-pace.ts';
import { readerOf } from './client-pace.ts';
import { heldBytes } from './end-in-pieces.ts';

const MIB = 1024 ** 2;

/**
 * Bounds of the answers in memory whose clients have not read them. A server of 512 MiB takes about 220 MiB without
 * them. The largest page has 11 MiB, so a tenant can hold at least three.
 */
export const UNREAD_LIMITS = {
  tenantBytes: 32 * MIB,
  totalBytes: 128 * MIB,
  /** A client that has read nothing for so long may lose its answer. */
  idleMs: 10_000,
  /** A client that is slower may lose its answer to another tenant. */
  bytesPerSecond: REQUEST_LIMITS.slowStreamBytesPerSecond,
  /** How long the pace of a client is measured. */
  windowMs: REQUEST_LIMITS.slowStreamSeconds * 1000,
};

/** By then, an answer that nobody reads can often be dropped. */
const RETRY_AFTER_SECONDS = '5';

interface Answer {
  readonly res: Response;
  readonly tenantId: string;
  readonly operation: string;
  readonly bytes: number;
  readonly pace: TransferPace;
  /** When the client last read, in milliseconds of `performance.now()`. */
  readAt: number;
}

/**
 * Counts the bytes of answers that were built but not read. An answer stays in memory as a whole until its client has read
 * it, long after its database connection was returned. Above a limit, clients that have stopped reading are disconnected, and
 * above that of the process also slow ones of other tenants, but only for an answer that counts itself. If there are none,
 * further large answers are refused, and repetitions of requests whose answer is unread. Other small answers are never refused.
 */
export class UnreadAnswers {
  readonly #limits: typeof UNREAD_LIMITS;
  readonly #answers = new Set<Answer>();
  readonly #ofTenant = new Map<string, number>();
  #total = 0;

  constructor(limits: Partial<typeof UNREAD_LIMITS> = {}) {
    this.#limits = { ...UNREAD_LIMITS, ...limits };
  }

  /** The bytes of all unread answers. */
  get bytes(): number {
    return this.#total;
  }

  /** Counts an answer that was sent, until its client has read it. */
  add(res: Response, tenantId: string, operation: string): void {
    const bytes = heldBytes(res);
    if (bytes === 0) return;
    // Answers to writes are not refused, and may come when there is no room.
    this.#dropSlow(tenantId);
    const pace = new TransferPace(readerOf(res), this.#limits.windowMs);
    pace.beginWaiting();
    const answer = { res, tenantId, operation, bytes, pace, readAt: performance.now() };
    this.#answers.add(answer);
    this.#count(tenantId, bytes);
    res.on('drain', () => {
      answer.readAt = performance.now();
      pace.noteProgress();
    });
    const leave = () => this.#leave(answer);
    res.once('finish', leave).once('close', leave);
    this.#dropIdle(tenantId);
  }

  /**
   * Refuses a large answer before it is built.
   * @throws {ProblemError} SERVICE_UNAVAILABLE
   */
  checkRoom(tenantId: string): void {
    this.#dropIdle(tenantId);
    if (!this.#isTenantFull(tenantId)) this.#dropSlow(tenantId);
    const refusal = this.#refusal(tenantId, this.#total);
    if (refusal !== null) throw refusal;
  }

  /**
   * Refuses a request before anything is read for it, if an answer of the tenant to the same operation is unread.
   * @throws {ProblemError} SERVICE_UNAVAILABLE
   */
  checkRepeated(tenantId: string, operation: string): void {
    if (!this.#isFull && !this.#isTenantFull(tenantId)) return;
    const isRepeated = [...this.#answers].some(
      (answer) => answer.tenantId === tenantId && answer.operation === operation,
    );
    if (!isRepeated) return;
    this.#dropIdle(tenantId);
    // The answer may be a small one this time, so slow clients make way only when it is built.
    const slow = this.#slow(tenantId).reduce((sum, { bytes }) => sum + bytes, 0);
    const refusal = this.#refusal(tenantId, this.#total - slow);
    if (refusal !== null) throw refusal;
  }

  /** @returns null if there is room. */
  #refusal(tenantId: string, total: number): ProblemError | null {
    const { tenantBytes, totalBytes } = this.#limits;
    if (this.#isTenantFull(tenantId)) return refused('Your tenant', tenantBytes);
    return total >= totalBytes ? refused('The server', totalBytes) : null;
  }

  /** The answers of slow clients that make way for this tenant, if the server is at its limit. */
  #slow(tenantId: string): Answer[] {
    if (!this.#isFull) return [];
    const others = [...this.#answers].filter((answer) => answer.tenantId !== tenantId);
    return slowestFirst(others, this.#limits.bytesPerSecond);
  }

  #dropSlow(tenantId: string): void {
    this.#drop(this.#slow(tenantId), () => this.#isFull);
  }

  #dropIdle(tenantId: string): void {
    if (this.#isTenantFull(tenantId)) {
      const own = this.#idle().filter((answer) => answer.tenantId === tenantId);
      this.#drop(own, () => this.#isTenantFull(tenantId));
    }
    if (this.#isFull) this.#drop(this.#idle(), () => this.#isFull);
  }

  get #isFull(): boolean {
    return this.#total >= this.#limits.totalBytes;
  }

  #isTenantFull(tenantId: string): boolean {
    return this.#of(tenantId) >= this.#limits.tenantBytes;
  }

  /** Idle answers: first those of the tenant with the most bytes, and of these the one that was idle longest. */
  #idle(): Answer[] {
    const readBefore = performance.now() - this.#limits.idleMs;
    return [...this.#answers]
      .filter(({ readAt }) => readAt <= readBefore)
      .map((answer) => ({ answer, held: this.#of(answer.tenantId) }))
      .sort((a, b) => b.held - a.held || a.answer.readAt - b.answer.readAt)
      .map(({ answer }) => answer);
  }

  #drop(answers: readonly Answer[], isNeeded: () => boolean): void {
    for (const answer of answers) {
      if (!isNeeded()) return;
      this.#leave(answer);
      answer.res.req.socket.destroy();
    }
  }

  #leave(answer: Answer): void {
    if (this.#answers.delete(answer)) this.#count(answer.tenantId, -answer.bytes);
  }

  #count(tenantId: string, bytes: number): void {
    const left = this.#of(tenantId) + bytes;
    if (left === 0) this.#ofTenant.delete(tenantId);
    else this.#ofTenant.set(tenantId, left);
    this.#total += bytes;
  }

  #of(tenantId: string): number {
    return this.#ofTenant.get(tenantId) ?? 0;
  }
}

function refused(whose: 'Your tenant' | 'The server', most: number): ProblemError {
  return new ProblemError(
    'SERVICE_UNAVAILABLE',
    `${whose} has ${most / MIB} MiB of responses that clients have not read, which is the limit. Read the responses to earlier requests, and try again later.`,
    { headers: { 'Retry-After': RETRY_AFTER_SECONDS } },
  );
}
