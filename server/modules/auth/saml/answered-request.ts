import { readXmlRoot } from './xml-scan.ts';

const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
const PREFIX = '_';
const ID_BYTES = 20;
const REQUEST_ID = /^_[0-9a-f]{40}(?:\.(?<state>[\w-]{1,64}))?$/;

/** A response, read only up to its root element. */
export interface UnreadResponse {
  readonly xml: string;
  /** The `InResponseTo` attribute, not verified yet. */
  readonly requestId: string;
}

/**
 * A new request id: a valid XML NCName with 160 random bits.
 * @param state of the page that starts the sign-in.
 */
export function requestIdFrom(random: (bytes: number) => Buffer, state?: string): string {
  const id = `${PREFIX}${random(ID_BYTES).toString('hex')}`;
  return state === undefined ? id : `${id}.${state}`;
}

/** The state that the page gave when it started the sign-in. */
export function stateIn(requestId: string): string | undefined {
  return REQUEST_ID.exec(requestId)?.groups?.['state'];
}

/**
 * Decodes a response and reads the id of the request it answers. Only the first tag is read, so a response to an
 * unknown request costs its decoding and one look-up, independent of its content.
 * @param encoded in base64.
 * @returns null when it is not a SAML response to a request of this service.
 */
export function readAnsweredRequest(encoded: string): UnreadResponse | null {
  const xml = decode(encoded);
  if (xml === null) return null;
  const root = readXmlRoot(xml);
  if (root?.localName !== 'Response' || root.namespace !== PROTOCOL) return null;
  const requestId = root.attributes.get('InResponseTo') ?? '';
  return REQUEST_ID.test(requestId) ? { xml, requestId } : null;
}

function decode(encoded: string): string | null {
  const packed = encoded.replaceAll(/[\r\n\t ]/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(packed)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(packed, 'base64'));
  } catch {
    return null;
  }
}
