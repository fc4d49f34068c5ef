import { certificatePem, UnfitSettings } from './certificate.ts';
import { attribute, elements, named, parseXml, textOf } from './xml.ts';

const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';
const SIGNATURES = 'http://www.w3.org/2000/09/xmldsig#';
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const MEMBER = 'metadataXml';

/** What we have to know of an identity provider. */
export interface Provider {
  readonly entityId: string;
  /** Not checked to be an address that may be redirected to. */
  readonly ssoUrl: string;
  /** PEM. */
  readonly certificates: readonly string[];
}

/**
 * Reads the metadata of one identity provider (SAML 2.0 Metadata §2). It is text that an administrator pasted: nothing in
 * it is ever fetched.
 * @throws {UnfitSettings} that says what is wrong or missing.
 */
export async function readProviderMetadata(xml: string, now: Date): Promise<Provider> {
  const document = await parseXml(xml).catch(() => {
    throw new UnfitSettings(MEMBER, 'is not well-formed XML without a document type');
  });
  const role = `//${named(METADATA, 'EntityDescriptor')}/${named(METADATA, 'IDPSSODescriptor')}`;
  const [descriptor, ...others] = elements(document, role);
  if (descriptor === undefined || others.length > 0) {
    throw new UnfitSettings(MEMBER, 'must describe one identity provider');
  }
  const entity = elements(descriptor, '..')[0];
  demandCurrent([entity, descriptor], now);
  const entityId = attribute(entity, 'entityID');
  const ssoUrl = attribute(
    elements(descriptor, named(METADATA, 'SingleSignOnService')).find(
      (service) => attribute(service, 'Binding') === REDIRECT,
    ),
    'Location',
  );
  if (entityId === null || ssoUrl === null) {
    throw new UnfitSettings(MEMBER, 'must name an entityID and a service for HTTP-Redirect');
  }
  const certificates = elements(descriptor, named(METADATA, 'KeyDescriptor'))
    .filter((key) => attribute(key, 'use') !== 'encryption')
    .flatMap((key) => elements(key, `.//${named(SIGNATURES, 'X509Certificate')}`))
    .map((certificate) => certificatePem(textOf(certificate) ?? '', MEMBER, now));
  if (certificates.length === 0) {
    throw new UnfitSettings(MEMBER, 'must hold a certificate for signing');
  }
  return { entityId, ssoUrl, certificates: [...new Set(certificates)] };
}

function demandCurrent(described: readonly (Element | undefined)[], now: Date): void {
  for (const element of described) {
    const until = attribute(element, 'validUntil');
    if (until !== null && !(new Date(until) > now)) {
      throw new UnfitSettings(MEMBER, 'is out of date by its own validUntil');
    }
  }
}
