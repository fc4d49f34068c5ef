import { type EndpointSettings, GoogleCloudError, googleEndpoints } from '@cspm/google-cloud';
import type { GoogleSettings } from './modules/sources/index.ts';

interface Variables {
  readonly NODE_ENV: string;
  readonly GOOGLE_ASSET_URL?: string | undefined;
  readonly GOOGLE_TOKEN_URL?: string | undefined;
  readonly GOOGLE_IAM_CREDENTIALS_URL?: string | undefined;
}

/** What Application Default Credentials depend on; most are variables of gcloud and of the operating system. */
const IDENTITY_VARIABLES = [
  'GOOGLE_APPLICATION_CREDENTIALS',
  'GOOGLE_CLOUD_QUOTA_PROJECT',
  'CLOUDSDK_CONFIG',
  'METADATA_SERVER_DETECTION',
  'HOME',
  'APPDATA',
];

/** How the server reaches Google Cloud. Call it after `googleCloudFaults` found none. */
export function googleCloudFrom(
  variables: Variables,
  environment: Readonly<Record<string, string | undefined>>,
): GoogleSettings {
  return {
    endpoints: googleEndpoints(settingsOf(variables)),
    environment: Object.fromEntries(IDENTITY_VARIABLES.map((name) => [name, environment[name]])),
  };
}

export function googleCloudFaults(variables: Variables): string[] {
  try {
    googleEndpoints(settingsOf(variables));
    return [];
  } catch (error) {
    if (!(error instanceof GoogleCloudError)) throw error;
    return [error.message.replace(/^(GOOGLE_[A-Z_]+) is not/, '$1: must be')];
  }
}

function settingsOf(v: Variables): EndpointSettings {
  return {
    assetUrl: v.GOOGLE_ASSET_URL,
    tokenUrl: v.GOOGLE_TOKEN_URL,
    iamCredentialsUrl: v.GOOGLE_IAM_CREDENTIALS_URL,
    // A fake of Google listens there.
    allowLoopbackHttp: v.NODE_ENV !== 'production',
  };
}
