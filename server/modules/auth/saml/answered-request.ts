import { readXmlRoot } from './xml-scan.ts';

const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
const PREFIX = '_';
const ID_BYTES = 20;
const REQUEST_ID = /^_[0-9a-f]{40}$/;

/** A response of which only the root element was read. */
export interface UnreadResponse {
  readonly xml: string;
  /** The `InResponseTo` attribute, not verified yet. */
  readonly requestId: string;
}

/** A new request id: a valid XML NCName with 160 random bits. */
export function requestIdFrom(random: (bytes: number) => Buffer): string {
  return `${PREFIX}${random(ID_BYTES).toString('hex')}`;
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
