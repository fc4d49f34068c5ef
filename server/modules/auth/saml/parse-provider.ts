import { contract } from '@cspm/contract';
import { parseUrl } from '../../../platform/parse-url.ts';
import { validationFailed } from '../../../platform/problem.ts';
import { certificatePem, UnfitSettings } from './certificate.ts';
import type { Provider } from './provider-metadata.ts';
import type { XmlThread } from './xml-thread.ts';

/** Settings of an identity provider: its metadata, or the three values that matter from it. */
interface Given {
  readonly metadataXml?: string | undefined;
  readonly entityId?: string | undefined;
  readonly ssoUrl?: string | undefined;
  readonly certificates?: readonly string[] | undefined;
}

const { entityId: entityIdSchema, ssoUrl: ssoUrlSchema } = contract.saml.putSettings.body.shape;

/** Dependencies for reading metadata in the XML thread, queued for this tenant. */
interface Reading {
  readonly now: Date;
  readonly tenantId: string;
  readonly xmlThread: XmlThread;
}

/**
 * @throws {ProblemError} VALIDATION_FAILED that names what is invalid or missing, SERVICE_UNAVAILABLE when the queue of
 * documents is full.
 */
export async function providerFrom(given: Given, reading: Reading): Promise<Provider> {
  try {
    const provider = await read(given, reading);
    demandStorable(provider);
    demandWebAddress(provider.ssoUrl, given.metadataXml === undefined ? 'ssoUrl' : 'metadataXml');
    return provider;
  } catch (error) {
    if (!(error instanceof UnfitSettings)) throw error;
    throw validationFailed([{ path: `body.${error.member}`, message: error.message }]);
  }
}

async function read(given: Given, reading: Reading): Promise<Provider> {
  const { metadataXml, entityId, ssoUrl, certificates } = given;
  if (metadataXml !== undefined) {
    if (entityId !== undefined || ssoUrl !== undefined || certificates !== undefined) {
      throw new UnfitSettings(
        'metadataXml',
        'must not be sent together with metadataXml that contains it',
      );
    }
    return readMetadata(metadataXml, reading);
  }
  if (entityId === undefined)
    throw new UnfitSettings('entityId', 'is required if metadataXml is missing');
  if (ssoUrl === undefined)
    throw new UnfitSettings('ssoUrl', 'is required if metadataXml is missing');
  if (certificates === undefined) {
    throw new UnfitSettings('certificates', 'is required if metadataXml is missing');
  }
  return {
    entityId,
    ssoUrl,
    certificates: certificates.map((text, at) =>
      certificatePem(text, `certificates.${at}`, reading.now),
    ),
  };
}

async function readMetadata(xml: string, { now, tenantId, xmlThread }: Reading): Promise<Provider> {
  const answer = await xmlThread.run({ kind: 'metadata', xml, nowMs: now.getTime() }, tenantId);
  if (answer.kind === 'provider') return answer.provider;
  if (answer.kind === 'unfit') throw new UnfitSettings(answer.member, answer.message);
  throw new UnfitSettings(
    'metadataXml',
    'takes too long to parse; send its essential parts instead',
  );
}

/** Metadata must meet the same schemas as the single settings, which every response contains. */
function demandStorable({ entityId, ssoUrl }: Provider): void {
  if (!entityIdSchema.safeParse(entityId).success) {
    throw new UnfitSettings('metadataXml', 'must have an entityID of 1 to 1,024 characters');
  }
  if (!ssoUrlSchema.safeParse(ssoUrl).success) {
    throw new UnfitSettings(
      'metadataXml',
      'must have a Location of 1 to 2,048 characters for HTTP-Redirect',
    );
  }
}

/**
 * Only browsers are sent to this address; the server never calls it. https is required, except for loopback addresses
 * in development.
 */
function demandWebAddress(address: string, member: string): void {
  const url = parseUrl(address);
  const isLocal = url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  const fits =
    url !== null &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && isLocal)) &&
    url.username === '' &&
    url.password === '' &&
    url.hash === '';
  if (!fits) throw new UnfitSettings(member, 'must be an https:// URL');
}
