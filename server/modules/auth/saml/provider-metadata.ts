import { certificatePem, ExpiredCertificate, UnfitSettings } from './certificate.ts';
import { attribute, childrenOf, elementsOf, isNamed, parseXml, textOf } from './xml.ts';
import { METADATA_LIMITS } from './xml-limits.ts';
import { XmlLimitError } from './xml-scan.ts';

const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';
const SIGNATURES = 'http://www.w3.org/2000/09/xmldsig#';
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const MEMBER = 'metadataXml';
/** Each certificate is tried until one verifies the response, so their number is bounded, as in the settings. */
const MAX_CERTIFICATES = 10;

/** What the service must know about an identity provider. */
export interface Provider {
  readonly entityId: string;
  /** Not checked yet: it may be unsuitable for a redirect. */
  readonly ssoUrl: string;
  /** In PEM format. */
  readonly certificates: readonly string[];
}

/**
 * Parses the pasted metadata of one identity provider (SAML 2.0 Metadata §2). Nothing it refers to is ever fetched.
 * @throws {UnfitSettings} that says what is invalid or missing.
 */
export async function readProviderMetadata(xml: string, now: Date): Promise<Provider> {
  const document = await parseXml(xml, METADATA_LIMITS).catch((error: unknown) => {
    throw new UnfitSettings(MEMBER, faultOf(error));
  });
  const roles: { entity: Element; descriptor: Element }[] = [];
  for (const entity of elementsOf(document)) {
    if (!isNamed(entity, METADATA, 'EntityDescriptor')) continue;
    const descriptors = childrenOf(entity, METADATA, 'IDPSSODescriptor');
    roles.push(...descriptors.map((descriptor) => ({ entity, descriptor })));
  }
  const [role, ...others] = roles;
  if (role === undefined || others.length > 0) {
    throw new UnfitSettings(MEMBER, 'must describe one identity provider');
  }
  const { entity, descriptor } = role;
  demandCurrent([entity, descriptor], now);
  const entityId = attribute(entity, 'entityID');
  const ssoUrl = attribute(
    childrenOf(descriptor, METADATA, 'SingleSignOnService').find(
      (service) => attribute(service, 'Binding') === REDIRECT,
    ),
    'Location',
  );
  if (entityId === null || ssoUrl === null) {
    throw new UnfitSettings(MEMBER, 'must name an entityID and a service for HTTP-Redirect');
  }
  const texts = new Set<string>();
  for (const key of childrenOf(descriptor, METADATA, 'KeyDescriptor')) {
    if (attribute(key, 'use') === 'encryption') continue;
    for (const element of elementsOf(key)) {
      if (isNamed(element, SIGNATURES, 'X509Certificate')) texts.add(textOf(element) ?? '');
    }
  }
  if (texts.size > MAX_CERTIFICATES) {
    throw new UnfitSettings(MEMBER, `must have at most ${MAX_CERTIFICATES} certificates`);
  }
  return { entityId, ssoUrl, certificates: currentCertificates(texts, now) };
}

/** Metadata may still list a certificate that has expired, beside the one that replaced it. */
function currentCertificates(texts: Iterable<string>, now: Date): string[] {
  const certificates = new Set<string>();
  let expired: ExpiredCertificate | null = null;
  for (const text of texts) {
    try {
      certificates.add(certificatePem(text, MEMBER, now));
    } catch (error) {
      if (!(error instanceof ExpiredCertificate)) throw error;
      expired = error;
    }
  }
  if (certificates.size > 0) return [...certificates];
  throw expired ?? new UnfitSettings(MEMBER, 'must have a signing certificate');
}

function demandCurrent(described: readonly (Element | undefined)[], now: Date): void {
  for (const element of described) {
    const until = attribute(element, 'validUntil');
    if (until !== null && !(new Date(until) > now)) {
      throw new UnfitSettings(MEMBER, 'has expired (validUntil)');
    }
  }
}

/** Names the broken limit. For syntax errors it gives a fixed message instead of the parser's. */
function faultOf(error: unknown): string {
  return error instanceof XmlLimitError
    ? `${error.message}; remove everything that does not describe the identity provider`
    : 'is not well-formed XML';
}
