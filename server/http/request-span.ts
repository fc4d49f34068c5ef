import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { Request, Response } from 'express';
import { tracer } from '../platform/tracing/tracer.ts';
import type { RequestContext } from './request-context.ts';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Serves a request inside a server span (OpenTelemetry semantic conventions, HTTP) that continues the caller's trace if
 * there is one (W3C Trace Context §3.2) and ends with the response.
 */
export function inRequestSpan(
  req: Request,
  res: Response,
  serve: () => Promise<void>,
): Promise<void> {
  const caller = propagation.extract(ROOT_CONTEXT, req.headers);
  const method = METHODS.has(req.method) ? req.method : '_OTHER';
  const span = tracer.startSpan(
    nameOf(method, null),
    {
      kind: SpanKind.SERVER,
      attributes: {
        'http.request.method': method,
        'url.scheme': req.protocol,
        'network.protocol.version': req.httpVersion,
      },
    },
    caller,
  );
  res.once('close', () => {
    const requestContext: RequestContext | undefined = res.locals['requestContext'];
    const template = requestContext?.endpoint?.template ?? null;
    span.updateName(nameOf(method, template));
    if (template !== null) span.setAttribute('http.route', template);
    // A path without a valid route may hold anything, including secrets; only validated names and ids are recorded.
    if (requestContext?.path != null) span.setAttribute('url.path', requestContext.path);
    if (requestContext !== undefined)
      span.setAttribute('cspm.correlation_id', requestContext.correlationId);
    if (requestContext?.principal != null) {
      span.setAttribute('cspm.tenant_id', requestContext.principal.tenant.id);
    }
    if (res.headersSent) span.setAttribute('http.response.status_code', res.statusCode);
    if (!res.writableFinished) span.setAttribute('cspm.aborted', true);
    if (res.headersSent && res.statusCode >= 500) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute('error.type', String(res.statusCode));
    }
    span.end();
  });
  return context.with(trace.setSpan(caller, span), serve);
}

function nameOf(method: string, template: string | null): string {
  const verb = method === '_OTHER' ? 'HTTP' : method;
  return template === null ? verb : `${verb} ${template}`;
}
