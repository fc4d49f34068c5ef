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
 * Whether spans go anywhere: whether an SDK was loaded before this module was, as by `--import`. Settled once, so that
 * what is raced for is a single check wherever a span could begin: no context, no closure, no attributes.
 */
export const isTracing = isSpanContextValid(tracer.startSpan('probe').spanContext());

const NO_SPAN = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

/** Does work inside a span, which ends with it and says whether it failed. Without an SDK it is the work alone. */
export async function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  if (!isTracing) return work(NO_SPAN);
  return within(tracer.startSpan(name, options), work);
}

/** The same for a span that has begun already. */
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

/** Does work that outlives whoever happened to begin it: nothing in it belongs to their trace. */
export function apart<T>(work: () => T): T {
  return isTracing ? context.with(ROOT_CONTEXT, work) : work();
}

/** Says something of the span that the work at hand belongs to. */
export function annotate(attributes: Attributes): void {
  if (isTracing) trace.getActiveSpan()?.setAttributes(attributes);
}

/** Says that the work at hand has failed, where nothing is thrown for it. */
export function annotateFailure(error: unknown): void {
  const span = isTracing ? trace.getActiveSpan() : undefined;
  if (span !== undefined) markFailed(span, error);
}

/** Says of what kind the failure was, and never in its words, which may repeat what was sent. */
export function markFailed(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', kindOf(error));
}

/** An SQLSTATE, a code of the system or of ours; else the name of the class. */
export function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.constructor.name;
}

/** Hands over the spans that are still held, whichever SDK holds them, and waits for that no longer than given. */
export async function closeTracing(withinMs: number): Promise<void> {
  const provider = trace.getTracerProvider();
  // It may come from another copy of the API, the preload's, so that its class says nothing.
  const sdk: object =
    'getDelegate' in provider ? (provider as ProxyTracerProvider).getDelegate() : provider;
  if (!('shutdown' in sdk) || typeof sdk.shutdown !== 'function') return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, withinMs);
  });
  // Spans that cannot be delivered keep nobody from leaving.
  const closed = Promise.resolve(sdk.shutdown()).catch(() => undefined);
  await Promise.race([closed, late]).finally(() => clearTimeout(timer));
}
