import { trace } from '@opentelemetry/api';

/** The fields that link a log line to its span (OpenTelemetry, trace context in non-OTLP logs). */
export function traceFields(): { trace_id?: string; span_id?: string; trace_flags?: string } {
  const span = trace.getActiveSpan()?.spanContext();
  if (span === undefined) return {};
  const { traceId, spanId, traceFlags } = span;
  return {
    trace_id: traceId,
    span_id: spanId,
    trace_flags: traceFlags.toString(16).padStart(2, '0'),
  };
}
