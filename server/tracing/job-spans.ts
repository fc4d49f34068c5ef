import { context, propagation, ROOT_CONTEXT, SpanKind } from '@opentelemetry/api';
import { inSpan, isTracing, tracer, within } from './tracer.ts';

/**
 * What a job's payload holds of the trace that it belongs to (W3C Trace Context §3.2, §3.3): nothing, where nothing is
 * traced.
 */
export interface TraceContext {
  readonly traceparent?: string;
  readonly tracestate?: string;
}

const NOT_TRACED: TraceContext = {};

/**
 * Queues jobs inside a producer span (OpenTelemetry semantic conventions, messaging). Whoever works on them, in whichever
 * process and after whichever delay, goes on below it.
 */
export async function queueJobs<T>(
  task: string,
  count: number,
  enqueue: (trace: TraceContext) => Promise<T>,
): Promise<T> {
  if (!isTracing) return enqueue(NOT_TRACED);
  const attributes = {
    ...attributesOf(task, 'send'),
    ...(count === 1 ? {} : { 'messaging.batch.message_count': count }),
  };
  return inSpan(`send ${task}`, { kind: SpanKind.PRODUCER, attributes }, () =>
    enqueue(activeTrace()),
  );
}

/** A job as the queue gives it out. */
export interface GivenJob {
  readonly id: string;
  readonly payload: unknown;
}

/**
 * Does something about a job inside a consumer span, below the span that queued it.
 * @param operation whether it is worked on, or given up
 */
export async function withJob(
  operation: 'process' | 'settle',
  task: string,
  { id, payload }: GivenJob,
  work: () => Promise<void>,
): Promise<void> {
  if (!isTracing) return work();
  const from = propagation.extract(ROOT_CONTEXT, payload, FROM_PAYLOAD);
  const attributes = { ...attributesOf(task, operation), 'messaging.message.id': id };
  const options = { kind: SpanKind.CONSUMER, attributes };
  await context.with(
    from,
    within,
    undefined,
    tracer.startSpan(`${operation} ${task}`, options, from),
    work,
  );
}

function attributesOf(task: string, operation: 'send' | 'process' | 'settle') {
  return {
    'messaging.system': 'graphile-worker',
    'messaging.destination.name': task,
    'messaging.operation.type': operation,
    'messaging.operation.name': operation,
  };
}

/** Does something for the sake of another trace than the one at hand, as far as there is another. */
export async function inTrace<T>(trace: TraceContext | null, work: () => Promise<T>): Promise<T> {
  if (!isTracing || trace?.traceparent === undefined) return work();
  return context.with(propagation.extract(ROOT_CONTEXT, trace), work);
}

/**
 * The trace at hand; nothing where there is none. Of what the SDK would hand on, what the standard knows: baggage is the
 * caller's and stays with the request.
 */
export function activeTrace(): TraceContext {
  if (!isTracing) return NOT_TRACED;
  const carrier: { traceparent?: string; tracestate?: string } = {};
  propagation.inject(context.active(), carrier);
  const { traceparent, tracestate } = carrier;
  return {
    ...(traceparent === undefined ? {} : { traceparent }),
    ...(tracestate === undefined ? {} : { tracestate }),
  };
}

const FROM_PAYLOAD = {
  keys: () => ['traceparent', 'tracestate'],
  get: (payload: unknown, name: string) => {
    if (typeof payload !== 'object' || payload === null) return undefined;
    const value: unknown = (payload as Record<string, unknown>)[name];
    return typeof value === 'string' ? value : undefined;
  },
};
