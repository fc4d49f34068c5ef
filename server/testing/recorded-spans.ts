import { type HrTime, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import type { Placed } from './span-tree.ts';

/*
 * Has the process of the test traced. A test imports this for its effect before anything else: the server looks once
 * whether there is an SDK, when it is loaded.
 */
const exporter = new InMemorySpanExporter();
new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();

export interface RecordedSpan extends Placed {
  readonly traceId: string;
  readonly failed: boolean;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly string[];
}

/** The spans that have ended, in that order. */
export function recordedSpans(): RecordedSpan[] {
  return exporter.getFinishedSpans().map(recorded);
}

/** All that would be sent of them. */
export function recordedText(): string {
  return JSON.stringify(
    exporter.getFinishedSpans().map(({ name, attributes, events, links, status }) => ({
      ...{ name, attributes, events, links, status },
    })),
  );
}

export function forgetSpans(): void {
  exporter.reset();
}

function recorded(span: ReadableSpan): RecordedSpan {
  const { traceId, spanId } = span.spanContext();
  return {
    traceId,
    spanId,
    parentId: span.parentSpanContext?.spanId ?? null,
    name: span.name,
    kind: (SpanKind[span.kind] ?? '').toLowerCase(),
    startedAt: nanoseconds(span.startTime),
    failed: span.status.code === SpanStatusCode.ERROR,
    attributes: span.attributes,
    events: span.events.map(({ name }) => name),
  };
}

function nanoseconds([seconds, rest]: HrTime): bigint {
  return BigInt(seconds) * 1_000_000_000n + BigInt(rest);
}
