import { type HrTime, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import type { Placed } from './span-tree.ts';

/*
 * Enables tracing in the test process. Import it for its effect before everything else, because the server checks for
 * an SDK once, when it is loaded.
 */
const exporter = new InMemorySpanExporter();
new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();

export interface RecordedSpan extends Placed {
  readonly traceId: string;
  readonly failed: boolean;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly string[];
}

/** The ended spans, in order of their end. */
export function recordedSpans(): RecordedSpan[] {
  return exporter.getFinishedSpans().map(recorded);
}

/** All exported attributes. */
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
