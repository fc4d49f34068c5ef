import {
  type Attributes,
  context,
  INVALID_SPAN_CONTEXT,
  isSpanContextValid,
  type ProxyTracerProvider,
  ROOT_CONTEXT,
  type Span,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

export const tracer = trace.getTracer('cspm');

/**
 * Whether an SDK was loaded before this module, for example with `--import`. Decided once, so code on the fast path
 * needs a single check and no context, closure or attributes.
 */
export const isTracing = isSpanContextValid(tracer.startSpan('probe').spanContext());

const NO_SPAN = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

/** Runs work inside a span, which ends with it and records failure. Without an SDK it only runs the work. */
export async function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  if (!isTracing) return work(NO_SPAN);
  return within(tracer.startSpan(name, options), work);
}

/** The same for a span that has already started. */
export async function within<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
  try {
    return await context.with(trace.setSpan(context.active(), span), work, undefined, span);
  } catch (error) {
    markFailed(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** Runs work that outlives its caller outside the caller's trace. */
export function apart<T>(work: () => T): T {
  return isTracing ? context.with(ROOT_CONTEXT, work) : work();
}

/** Adds attributes to the current span. */
export function annotate(attributes: Attributes): void {
  if (isTracing) trace.getActiveSpan()?.setAttributes(attributes);
}

/** Marks the current work as failed without an exception. */
export function annotateFailure(error: unknown): void {
  const span = isTracing ? trace.getActiveSpan() : undefined;
  if (span !== undefined) markFailed(span, error);
}

/** Records the kind of failure, never its message, which may repeat input. */
export function markFailed(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', kindOf(error));
}

/** An SQLSTATE, a system code or a problem code; else the name of the class. */
export function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.constructor.name;
}

/** Flushes the spans of the active SDK, within a time limit. */
export async function closeTracing(withinMs: number): Promise<void> {
  const provider = trace.getTracerProvider();
  // The provider may come from another copy of the API (the preload's), so `instanceof` does not work.
  const sdk: object =
    'getDelegate' in provider ? (provider as ProxyTracerProvider).getDelegate() : provider;
  if (!('shutdown' in sdk) || typeof sdk.shutdown !== 'function') return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, withinMs);
  });
  // Undeliverable spans must not prevent the shutdown.
  const closed = Promise.resolve(sdk.shutdown()).catch(() => undefined);
  await Promise.race([closed, late]).finally(() => clearTimeout(timer));
}
