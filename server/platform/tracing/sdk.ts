import { DiagConsoleLogger, DiagLogLevel, diag } from '@opentelemetry/api';
import { diagLogLevelFromString, getBooleanFromEnv, getStringFromEnv } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

/** Exports spans in batches as OTLP/JSON over HTTP. Export errors are written to standard error. */
if (getBooleanFromEnv('OTEL_SDK_DISABLED') !== true) {
  const level = diagLogLevelFromString(getStringFromEnv('OTEL_LOG_LEVEL'));
  diag.setLogger(new DiagConsoleLogger(), level ?? DiagLogLevel.ERROR);
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'cspm' }))
    .merge(detectResources({ detectors: [serviceInstanceIdDetector, envDetector] }));
  const spanProcessors = [new BatchSpanProcessor(new OTLPTraceExporter())];
  new NodeTracerProvider({ resource, spanProcessors }).register();
}
