import { GoogleCloudError } from './google-cloud-error.ts';

/** The addresses of Google's services, without a slash at the end. */
export interface GoogleEndpoints {
  readonly assetUrl: string;
  /** The complete address of the token endpoint. */
  readonly tokenUrl: string;
  readonly iamCredentialsUrl: string;
}

export interface EndpointSettings {
  /** `GOOGLE_ASSET_URL` */
  readonly assetUrl?: string | undefined;
  /** `GOOGLE_TOKEN_URL` */
  readonly tokenUrl?: string | undefined;
  /** `GOOGLE_IAM_CREDENTIALS_URL` */
  readonly iamCredentialsUrl?: string | undefined;
  /** Accept http:// for loopback addresses. For tests and the fake of Google only. */
  readonly allowLoopbackHttp?: boolean;
}

export const GOOGLE: GoogleEndpoints = {
  assetUrl: 'https://cloudasset.googleapis.com',
  tokenUrl: 'https://oauth2.googleapis.com/token',
  iamCredentialsUrl: 'https://iamcredentials.googleapis.com',
};

/**
 * The endpoints of the operator, or Google's own.
 * @throws {GoogleCloudError} `invalid_input` for an address that is not https
 */
export function googleEndpoints(settings: EndpointSettings = {}): GoogleEndpoints {
  const allowed = settings.allowLoopbackHttp === true;
  return {
    assetUrl: addressOf('GOOGLE_ASSET_URL', settings.assetUrl, GOOGLE.assetUrl, allowed),
    tokenUrl: addressOf('GOOGLE_TOKEN_URL', settings.tokenUrl, GOOGLE.tokenUrl, allowed),
    iamCredentialsUrl: addressOf(
      'GOOGLE_IAM_CREDENTIALS_URL',
      settings.iamCredentialsUrl,
      GOOGLE.iamCredentialsUrl,
      allowed,
    ),
  };
}

function addressOf(
  variable: string,
  given: string | undefined,
  otherwise: string,
  allowLoopbackHttp: boolean,
): string {
  if (given === undefined || given === '') return otherwise;
  const url = parseUrl(given);
  const isSafe =
    url?.protocol === 'https:' ||
    (url?.protocol === 'http:' && allowLoopbackHttp && isLoopback(url.hostname));
  if (url === null || !isSafe || url.username + url.password + url.search + url.hash !== '') {
    throw new GoogleCloudError(
      'invalid_input',
      `${variable} is not an https:// URL without credentials, query and fragment.`,
      `Correct ${variable}, or unset it to use ${otherwise}.`,
    );
  }
  return url.href.replace(/\/+$/, '');
}

function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}
