import { authFetch } from './auth-fetch.ts';
import { GOOGLE, type GoogleEndpoints } from './endpoints.ts';

/** The only scope that the Cloud Asset API accepts. What the credential may do is decided by its roles. */
export const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';

/** For a credential whose scopes were chosen elsewhere: the metadata server gives those of the machine, whatever is requested. */
export const SCOPE_REMEDY =
  'On a virtual machine, stop it and run: gcloud compute instances set-service-account <instance> --scopes cloud-platform. With the credentials of a user, run: gcloud auth application-default login';

/** The options of every client: nothing is logged, and every request goes through our own `fetch`. */
export function optionsFor(endpoints: GoogleEndpoints, kind: 'given' | 'trusted') {
  return {
    transporterOptions: { fetchImplementation: authFetch(endpoints, kind) },
    useAuthRequestParameters: false,
    // The audience must be the endpoint that receives the assertion.
    ...(endpoints.tokenUrl !== GOOGLE.tokenUrl && {
      additionalClaims: { aud: endpoints.tokenUrl },
    }),
  };
}
