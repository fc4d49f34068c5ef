import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { Request, Response } from 'express';
import type { Exchange } from '../pipeline/exchange.ts';
import { tracer } from './tracer.ts';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Serves a request inside a server span (OpenTelemetry semantic conventions, HTTP), which goes on with the caller's trace
 * where there is one (W3C Trace Context §3.2) and ends with the answer.
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
    const exchange: Exchange | undefined = res.locals['exchange'];
    const template = exchange?.endpoint?.template ?? null;
    span.updateName(nameOf(method, template));
    if (template !== null) span.setAttribute('http.route', template);
    // A path that fits no route, or whose parameters do not, may hold anything; names and ids are all that is left.
    if (exchange?.path != null) span.setAttribute('url.path', exchange.path);
    if (exchange !== undefined) span.setAttribute('cspm.correlation_id', exchange.correlationId);
    if (exchange?.principal != null) {
      span.setAttribute('cspm.tenant_id', exchange.principal.tenant.id);
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
