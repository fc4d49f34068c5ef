import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A received span with its service. */
export interface ReceivedSpan {
  /** `service.name` of the process. */
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Null: the root of its trace. */
  readonly parentId: string | null;
  readonly name: string;
  readonly kind: string;
  readonly startedAt: bigint;
  readonly failed: boolean;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** Receives spans as an OpenTelemetry collector does: OTLP/JSON over HTTP. */
export class SpanReceiver {
  readonly spans: ReceivedSpan[] = [];
  /** The raw request bodies. */
  text = '';
  readonly #server: Server;

  private constructor() {
    this.#server = createServer(async (req, res) => {
      const told = (await json(req)) as Export;
      this.text += JSON.stringify(told);
      this.spans.push(...spansIn(told));
      res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  }

  static async start(): Promise<SpanReceiver> {
    const receiver = new SpanReceiver();
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** The relevant parts of an ExportTraceServiceRequest (OTLP 1.x, JSON). */
interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code?: number };
}

const KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'];
const FAILED = 2;

function spansIn({ resourceSpans }: Export): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        service: String(valuesOf(resource.attributes)['service.name']),
        traceId: span.traceId,
        spanId: span.spanId,
        parentId: span.parentSpanId || null,
        name: span.name,
        kind: KINDS[span.kind] ?? 'unspecified',
        startedAt: BigInt(span.startTimeUnixNano),
        failed: span.status.code === FAILED,
        attributes: valuesOf(span.attributes),
      })),
    ),
  );
}

function valuesOf(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
