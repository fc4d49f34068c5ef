import { checkJsonText, JSON_LIMITS } from '@cspm/scanner';

/** What the client reads of an error in Google's JSON form. Absent parts are null. */
export interface GoogleAnswer {
  readonly http: number;
  /** The canonical code, such as `PERMISSION_DENIED`. */
  readonly status: string | null;
  readonly message: string;
  /** `reason` of the detail `google.rpc.ErrorInfo`, such as `SERVICE_DISABLED`. */
  readonly reason: string | null;
  /** The service and the consumer project that `SERVICE_DISABLED` is about. */
  readonly service: string | null;
  readonly consumer: string | null;
  /** The delay of the detail `google.rpc.RetryInfo`. */
  readonly retryDelaySeconds: number | null;
}

const MESSAGE_MAX = 500;

type Json = Readonly<Record<string, unknown>>;

/** Reads an error answer. Anything that is not in Google's form gives an answer without a status. */
export function googleAnswer(http: number, body: Buffer): GoogleAnswer {
  return googleAnswerOf(http, parse(body));
}

/** Like `googleAnswer`, for a body that is already parsed. */
export function googleAnswerOf(http: number, body: unknown): GoogleAnswer {
  const error = objectOf(objectOf(body)['error']);
  const details = Array.isArray(error['details']) ? error['details'].map(objectOf) : [];
  const ofType = (type: string) =>
    objectOf(
      details.find((detail) => detail['@type'] === `type.googleapis.com/google.rpc.${type}`),
    );
  const info = ofType('ErrorInfo');
  const metadata = objectOf(info['metadata']);
  return {
    http,
    status: textOf(error['status']),
    message: onOneLine(textOf(error['message']) ?? `HTTP ${http}`),
    reason: textOf(info['reason']),
    service: nameOf(metadata['service']),
    consumer: nameOf(metadata['consumer']),
    retryDelaySeconds: durationOf(ofType('RetryInfo')['retryDelay']),
  };
}

/** Text of another service, as it may appear in a message: one line of bounded length, without control characters. */
export function onOneLine(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return line.length > MESSAGE_MAX ? `${line.slice(0, MESSAGE_MAX - 1)}…` : line;
}

function parse(body: Buffer): unknown {
  try {
    checkJsonText(body, JSON_LIMITS.body);
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** A name that may appear in a command that a message recommends. */
function nameOf(value: unknown): string | null {
  return typeof value === 'string' && /^[A-Za-z0-9./:_-]{1,200}$/.test(value) ? value : null;
}

/** A protobuf duration in JSON: `12.5s`. */
function durationOf(value: unknown): number | null {
  const [, seconds] = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(textOf(value) ?? '') ?? [];
  return seconds === undefined ? null : Number(seconds);
}
