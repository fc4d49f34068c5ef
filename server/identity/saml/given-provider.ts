import { validationFailed } from '../../pipeline/problems.ts';
import { certificatePem, UnfitSettings } from './certificate.ts';
import type { Provider } from './provider-metadata.ts';

/** How an administrator tells of an identity provider: by its metadata, or by the three parts of it that count. */
interface Given {
  readonly metadataXml?: string | undefined;
  readonly entityId?: string | undefined;
  readonly ssoUrl?: string | undefined;
  readonly certificates?: readonly string[] | undefined;
}

const ENTITY_ID_LENGTH = 1024;

/** @throws {ProblemError} VALIDATION_FAILED that names what is wrong or missing. */
export async function providerFrom(given: Given, now: Date): Promise<Provider> {
  try {
    const provider = await read(given, now);
    if (provider.entityId.length > ENTITY_ID_LENGTH) {
      throw new UnfitSettings('metadataXml', 'has an entityID that is too long');
    }
    demandWebAddress(provider.ssoUrl, given.metadataXml === undefined ? 'ssoUrl' : 'metadataXml');
    return provider;
  } catch (error) {
    if (!(error instanceof UnfitSettings)) throw error;
    throw validationFailed([{ path: `body.${error.member}`, message: error.message }]);
  }
}

async function read(given: Given, now: Date): Promise<Provider> {
  const { metadataXml, entityId, ssoUrl, certificates } = given;
  if (metadataXml !== undefined) {
    if (entityId !== undefined || ssoUrl !== undefined || certificates !== undefined) {
      throw new UnfitSettings('metadataXml', 'must not be sent beside what it holds');
    }
    const { readProviderMetadata } = await import('./provider-metadata.ts');
    return readProviderMetadata(metadataXml, now);
  }
  if (entityId === undefined) throw new UnfitSettings('entityId', 'is missing, or metadataXml is');
  if (ssoUrl === undefined) throw new UnfitSettings('ssoUrl', 'is missing, or metadataXml is');
  if (certificates === undefined) {
    throw new UnfitSettings('certificates', 'is missing, or metadataXml is');
  }
  return {
    entityId,
    ssoUrl,
    certificates: certificates.map((text, at) => certificatePem(text, `certificates.${at}`, now)),
  };
}

/** Browsers are sent there, and nobody else goes: https, or http on the machine itself for whoever develops. */
function demandWebAddress(address: string, member: string): void {
  const url = URL.canParse(address) ? new URL(address) : null;
  const isLocal = url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  const fits =
    url !== null &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && isLocal)) &&
    url.username === '' &&
    url.password === '' &&
    url.hash === '';
  if (!fits) throw new UnfitSettings(member, 'must lead to an https:// address');
}
