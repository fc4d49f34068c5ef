import { REQUEST_LIMITS } from '@cspm/contract';
import type { Request, Response } from 'express';
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
  /** A slower client may lose its answer to another tenant that holds at most as much as the tenant of the client. */
  bytesPerSecond: REQUEST_LIMITS.slowStreamBytesPerSecond,
  /**
   * How long the pace of a client is measured. Linux takes up to 1.5 MiB at a time from the server, which for a steady reader of
   * 64 KiB/s is once in 22 s: in a shorter time, it cannot be told from one that reads nothing.
   */
  windowMs: REQUEST_LIMITS.slowStreamSeconds * 1000,
};

/** By then, an answer that nobody reads can often be dropped. */
const RETRY_AFTER_SECONDS = '5';

interface Answer {
  readonly res: Response;
  readonly tenantId: string;
  /** Method and URL. */
  readonly request: string;
  readonly bytes: number;
  readonly pace: TransferPace;
  /** When its client took something for the last time, in milliseconds of `performance.now()`. */
  progressAt: number;
}

/**
 * Counts the bytes of answers that were built but not read. An answer stays in memory as a whole until its client has read
 * it, long after its database connection was returned. At the limit of a tenant, its slow clients are disconnected. At that of
 * the process, slow clients of tenants that hold at least as much are disconnected to make room for a large answer, and then
 * clients of any pace of the tenants with the most. If that is not enough, further large answers are refused, and repetitions
 * of requests whose answer is unread. Other small answers are never refused.
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
  add(res: Response, tenantId: string): void {
    const bytes = heldBytes(res);
    if (bytes === 0) return;
    // Answers to writes are not refused, and may come when there is no room.
    this.#makeRoom(tenantId);
    const pace = new TransferPace(readerOf(res), this.#limits.windowMs);
    pace.beginWaiting();
    const progressAt = performance.now();
    const answer: Answer = { res, tenantId, request: nameOf(res.req), bytes, pace, progressAt };
    this.#answers.add(answer);
    this.#count(tenantId, bytes);
    res.on('drain', () => {
      answer.progressAt = performance.now();
      pace.noteProgress();
    });
    const leave = () => this.#leave(answer);
    res.once('finish', leave).once('close', leave);
  }

  /**
   * Refuses a large answer before it is built.
   * @throws {ProblemError} SERVICE_UNAVAILABLE
   */
  checkRoom(tenantId: string): void {
    this.#makeRoom(tenantId);
    const refusal = this.#refusal(tenantId, this.#total);
    if (refusal !== null) throw refusal;
  }

  /**
   * Refuses a request before anything is read for it, if an answer to the same request of the tenant is unread.
   * @throws {ProblemError} SERVICE_UNAVAILABLE
   */
  checkRepeated(tenantId: string, req: Request): void {
    if (!this.#isFull && !this.#isTenantFull(tenantId)) return;
    const request = nameOf(req);
    const isRepeated = [...this.#answers].some(
      (answer) => answer.tenantId === tenantId && answer.request === request,
    );
    if (!isRepeated) return;
    this.#dropOwn(tenantId);
    // The answer may be a small one this time, so clients of others make way only when it is built.
    const others = new Set([...this.#slowOfOthers(tenantId), ...this.#ofTheMost(tenantId)]);
    const refusal = this.#refusal(tenantId, this.#total - bytesOf(others));
    if (refusal !== null) throw refusal;
  }

  /** @returns null if there is room. */
  #refusal(tenantId: string, total: number): ProblemError | null {
    const { tenantBytes, totalBytes } = this.#limits;
    if (this.#isTenantFull(tenantId)) return refused('Your tenant', tenantBytes);
    return total >= totalBytes ? refused('The server', totalBytes) : null;
  }

  #makeRoom(tenantId: string): void {
    this.#dropOwn(tenantId);
    if (!this.#isFull || this.#isTenantFull(tenantId)) return;
    this.#drop(this.#slowOfOthers(tenantId), () => this.#isFull);
    const most = this.#ofTheMost(tenantId);
    // Otherwise they would be lost for an answer that is refused nevertheless.
    if (this.#total - bytesOf(most) < this.#limits.totalBytes) this.#drop(most, () => this.#isFull);
  }

  #dropOwn(tenantId: string): void {
    if (!this.#isTenantFull(tenantId)) return;
    const own = [...this.#answers].filter((answer) => answer.tenantId === tenantId);
    const slow = slowestFirst(own, this.#limits.bytesPerSecond);
    this.#drop(slow, () => this.#isTenantFull(tenantId));
  }

  /**
   * The slow answers that make way for this tenant: of tenants that hold at least as much as it. First those of the tenant with
   * the most bytes, and of these the slowest.
   */
  #slowOfOthers(tenantId: string): Answer[] {
    if (!this.#isFull) return [];
    const others = [...this.#answers].filter(
      (answer) => answer.tenantId !== tenantId && this.#of(answer.tenantId) >= this.#of(tenantId),
    );
    return slowestFirst(others, this.#limits.bytesPerSecond).sort(
      (a, b) => this.#of(b.tenantId) - this.#of(a.tenantId),
    );
  }

  /**
   * The answers that make way for this tenant before any pace is known: tenants that hold much could otherwise keep all room for a
   * window, and then for another one. Each belongs to the tenant that holds the most once those before it are gone. Of its
   * answers, the one without progress for the longest time comes first. A tenant keeps more than this one holds, so it never loses its only answer,
   * and two tenants cannot take room from each other for ever.
   */
  #ofTheMost(tenantId: string): Answer[] {
    if (!this.#isFull) return [];
    const held = this.#of(tenantId);
    const left = new Map(this.#ofTenant);
    const giving: { readonly answer: Answer; readonly of: number }[] = [];
    for (const answer of [...this.#answers].sort((a, b) => a.progressAt - b.progressAt)) {
      const of = left.get(answer.tenantId) ?? 0;
      if (answer.tenantId === tenantId || of - answer.bytes <= held) continue;
      left.set(answer.tenantId, of - answer.bytes);
      giving.push({ answer, of });
    }
    return giving.sort((a, b) => b.of - a.of).map(({ answer }) => answer);
  }

  get #isFull(): boolean {
    return this.#total >= this.#limits.totalBytes;
  }

  #isTenantFull(tenantId: string): boolean {
    return this.#of(tenantId) >= this.#limits.tenantBytes;
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

function bytesOf(answers: Iterable<Answer>): number {
  return [...answers].reduce((sum, { bytes }) => sum + bytes, 0);
}

function nameOf(req: Request): string {
  return `${req.method} ${req.originalUrl}`;
}

function refused(whose: 'Your tenant' | 'The server', most: number): ProblemError {
  return new ProblemError(
    'SERVICE_UNAVAILABLE',
    `${whose} has ${most / MIB} MiB of responses that clients have not read, which is the limit. Read the responses to earlier requests, and try again later.`,
    { headers: { 'Retry-After': RETRY_AFTER_SECONDS } },
  );
}
