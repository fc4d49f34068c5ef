import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { AuthClient, JWTInput } from 'google-auth-library';
import { optionsFor, SCOPE } from './auth-options.ts';
import type { GoogleEndpoints } from './endpoints.ts';
import { GoogleCloudError } from './google-cloud-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Application Default Credentials: the file of `GOOGLE_APPLICATION_CREDENTIALS`, that of gcloud, or the metadata server.
 * The file is read here, so that the variables of the caller apply.
 * @throws {GoogleCloudError} `no_credentials`
 */
export async function applicationDefault(
  environment: Environment,
  endpoints: GoogleEndpoints,
): Promise<AuthClient> {
  const file = fileOf(environment);
  const content = await readCredentials(file.path);
  if (content === null) {
    if (file.isNamed) throw unreadable(file.path, 'does not exist');
    if (environment['METADATA_SERVER_DETECTION'] === 'none') throw noCredentials();
  }
  const { GoogleAuth } = await import('google-auth-library');
  const auth = new GoogleAuth({
    scopes: [SCOPE],
    clientOptions: optionsFor(endpoints, 'trusted'),
    // The library refuses what is of no kind that it knows.
    ...(content !== null && { credentials: content as JWTInput }),
  });
  const client = await auth.getClient().catch(() => {
    throw content === null ? noCredentials() : unreadable(file.path, NOT_CREDENTIALS);
  });
  const quotaProject = environment['GOOGLE_CLOUD_QUOTA_PROJECT'];
  if (quotaProject !== undefined && quotaProject !== '') client.quotaProjectId = quotaProject;
  return client;
}

/** Where the credentials are, and whether a variable names the file. */
function fileOf(environment: Environment): { readonly path: string; readonly isNamed: boolean } {
  const named = environment['GOOGLE_APPLICATION_CREDENTIALS'];
  if (named !== undefined && named !== '') return { path: named, isNamed: true };
  const path = join(gcloudFolder(environment), 'application_default_credentials.json');
  return { path, isNamed: false };
}

/** @returns null if there is no such file */
async function readCredentials(file: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw unreadable(file, 'cannot be read');
  }
  try {
    const content: unknown = JSON.parse(text);
    if (typeof content === 'object' && content !== null && 'type' in content) return content;
  } catch {
    // Reported below; the message of JSON.parse would quote the file.
  }
  throw unreadable(file, NOT_CREDENTIALS);
}

function gcloudFolder(environment: Environment): string {
  const { CLOUDSDK_CONFIG, APPDATA, HOME } = environment;
  if (CLOUDSDK_CONFIG !== undefined && CLOUDSDK_CONFIG !== '') return CLOUDSDK_CONFIG;
  if (process.platform === 'win32' && APPDATA !== undefined) return join(APPDATA, 'gcloud');
  return join(HOME ?? homedir(), '.config', 'gcloud');
}

const SIGN_IN =
  'Run: gcloud auth application-default login. In a pipeline, set GOOGLE_APPLICATION_CREDENTIALS to a credential file.';

function noCredentials(): GoogleCloudError {
  return new GoogleCloudError(
    'no_credentials',
    'No Application Default Credentials were found on this machine.',
    SIGN_IN,
  );
}

const NOT_CREDENTIALS = 'does not contain Application Default Credentials';

function unreadable(file: string, why: string): GoogleCloudError {
  return new GoogleCloudError('no_credentials', `The credential file ${file} ${why}.`, SIGN_IN);
}
