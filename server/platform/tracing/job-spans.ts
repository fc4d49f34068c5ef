import { context, propagation, ROOT_CONTEXT, SpanKind } from '@opentelemetry/api';
import { inSpan, isTracing, tracer, within } from './tracer.ts';

/** The trace context in a job's payload (W3C Trace Context §3.2, §3.3); absent if nothing is traced. */
export interface TraceContext {
  readonly traceparent?: string;
  readonly tracestate?: string;
}

const NOT_TRACED: TraceContext = {};

/**
 * Queues jobs inside a producer span (OpenTelemetry semantic conventions, messaging). The worker, in any process and
 * after any delay, continues below it.
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

/** A job as the queue returns it. */
export interface GivenJob {
  readonly id: string;
  readonly payload: unknown;
}

/**
 * Handles a job inside a consumer span, below the span that queued it.
 * @param operation whether the job is processed or abandoned
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

/** Runs work in another trace than the current one, if there is one. */
export async function inTrace<T>(trace: TraceContext | null, work: () => Promise<T>): Promise<T> {
  if (!isTracing || trace?.traceparent === undefined) return work();
  return context.with(propagation.extract(ROOT_CONTEXT, trace), work);
}

/**
 * The current trace context, if any. Only the standard's fields are passed on: baggage belongs to the caller and stays
 * with the request.
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
