import { generateKeyPairSync, type KeyObject, sign, X509Certificate } from 'node:crypto';

export interface TestCertificate {
  /** PKCS #8, PEM. */
  readonly privateKey: string;
  readonly certificate: string;
  /** The certificate as base64 of DER, on one line. */
  readonly base64: string;
}

interface Options {
  readonly from?: Date;
  readonly to?: Date;
  readonly bits?: number;
  readonly curve?: string;
  /** In the certificate, instead of the key that signs it. */
  readonly publicKey?: KeyObject;
  /** The keys that sign it. Default: new ones. */
  readonly keys?: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
  /** The common name. */
  readonly name?: string;
  /** The common name of the issuer. Default: the same. */
  readonly issuer?: string;
  /** The IPv4 address of a server, as the alternative name (RFC 5280 §4.2.1.6). */
  readonly address?: string;
}

const HOUR_MS = 3_600_000;
const EMPTY = Buffer.alloc(0);

/** Creates a key and its self-signed certificate (RFC 5280 §4.1), so the repository contains no private key. */
export function newCertificate(options: Options = {}): TestCertificate {
  const { from = new Date(Date.now() - HOUR_MS), to = new Date(Date.now() + 24 * HOUR_MS) } =
    options;
  const pair =
    options.keys ??
    (options.curve === undefined
      ? generateKeyPairSync('rsa', { modulusLength: options.bits ?? 2048 })
      : generateKeyPairSync('ec', { namedCurve: options.curve }));
  const algorithm = options.curve === undefined ? SHA256_RSA : SHA256_ECDSA;
  const { name = 'Test Provider', issuer = name, address } = options;
  const extensions = address === undefined ? EMPTY : alternativeName(address);
  const { publicKey = pair.publicKey } = options;
  const der = selfSigned({ ...pair, publicKey }, { from, to, algorithm, name, issuer, extensions });
  return {
    privateKey: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: new X509Certificate(der).toString(),
    base64: der.toString('base64'),
  };
}

const SHA256_RSA = sequence(oid('2a864886f70d01010b'), tlv(0x05));
const SHA256_ECDSA = sequence(oid('2a8648ce3d040302'));

interface Contents {
  readonly from: Date;
  readonly to: Date;
  readonly algorithm: Buffer;
  /** The common name of the subject. */
  readonly name: string;
  readonly issuer: string;
  readonly extensions: Buffer;
}

function selfSigned(
  pair: { publicKey: KeyObject; privateKey: KeyObject },
  { from, to, algorithm, name, issuer, extensions }: Contents,
): Buffer {
  const body = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.from([1])),
    algorithm,
    commonName(issuer),
    sequence(time(from), time(to)),
    commonName(name),
    pair.publicKey.export({ type: 'spki', format: 'der' }),
    extensions,
  );
  const signature = sign('sha256', body, pair.privateKey);
  return sequence(body, algorithm, tlv(0x03, Buffer.concat([Buffer.from([0]), signature])));
}

function commonName(name: string): Buffer {
  return sequence(tlv(0x31, sequence(oid('550403'), tlv(0x0c, Buffer.from(name)))));
}

function alternativeName(address: string): Buffer {
  const names = sequence(tlv(0x87, Buffer.from(address.split('.').map(Number))));
  return tlv(0xa3, sequence(sequence(oid('551d11'), tlv(0x04, names))));
}

/** Tag, length, value (X.690 §8.1). */
function tlv(tag: number, value: Buffer = EMPTY): Buffer {
  const { length } = value;
  const bytes = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...(length < 128 ? [length] : bytes)]), value]);
}

function sequence(...members: Buffer[]): Buffer {
  return tlv(0x30, Buffer.concat(members));
}

function oid(hex: string): Buffer {
  return tlv(0x06, Buffer.from(hex, 'hex'));
}

function time(at: Date): Buffer {
  return tlv(0x17, Buffer.from(`${at.toISOString().slice(2, 19).replaceAll(/[-:T]/g, '')}Z`));
}
