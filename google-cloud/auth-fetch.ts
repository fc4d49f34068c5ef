import { GOOGLE, type GoogleEndpoints } from './endpoints.ts';
import { send } from './http.ts';

const TIMEOUT_MS = 30_000;
/** Tokens have at most some kilobytes. */
const MAX_BYTES = 256 * 1024;

/**
 * The `fetch` of the authentication library. It sends what is meant for Google's token and IAM Credentials endpoints to
 * the configured ones.
 * @param kind `given`: the credential came from a tenant, and the library may reach the token endpoint only. `trusted`:
 * the credential belongs to the user who runs the process, and may name other addresses, such as that of an identity provider.
 */
export function authFetch(endpoints: GoogleEndpoints, kind: 'given' | 'trusted'): typeof fetch {
  return async (input, init = {}) => {
    const asked = String(input instanceof Request ? input.url : input);
    const isToken = asked === GOOGLE.tokenUrl;
    if (kind === 'given' && !isToken) throw new TypeError('The address is not a token endpoint.');
    const url = isToken ? endpoints.tokenUrl : atConfiguredIam(asked, endpoints);
    const { status, headers, body } = await send(url, {
      method: methodOf(init),
      headers: new Headers(init.headers),
      ...(init.body !== undefined && init.body !== null && { body: String(init.body) }),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    });
    // The body is decompressed already.
    const type = headers.get('content-type');
    return new Response(new Uint8Array(body), {
      status,
      headers: type === null ? {} : { 'content-type': type },
    });
  };
}

/** The metadata service of AWS opens a session with PUT. */
function methodOf({ method }: RequestInit): 'GET' | 'POST' | 'PUT' {
  return method === 'POST' || method === 'PUT' ? method : 'GET';
}

function atConfiguredIam(url: string, { iamCredentialsUrl }: GoogleEndpoints): string {
  return url.startsWith(`${GOOGLE.iamCredentialsUrl}/`)
    ? iamCredentialsUrl + url.slice(GOOGLE.iamCredentialsUrl.length)
    : url;
}
