import type { FirstCredentials } from './first-credentials.ts';

/**
 * The lines about the first credentials, which the database keeps as hashes only. A secret that the operator set is shown
 * as the name of its variable, never as its value.
 */
export function credentialLines({ email, madeUpPassword, madeUpKey }: FirstCredentials): string[] {
  return [
    '',
    'First credentials. They are shown only once:',
    `  e-mail    ${email}`,
    `  password  ${madeUpPassword ?? '(BOOTSTRAP_PASSWORD)'}`,
    `  API key   ${madeUpKey ?? '(BOOTSTRAP_API_KEY)'}`,
  ];
}

/** The lines that a server prints when it is ready. The first start also prints the next step. */
export function startupBanner(url: string, first: FirstCredentials | null): string[] {
  const lines = [
    '',
    `Serving on ${url}`,
    `Console: ${url}/console/`,
    `API documentation: ${url}/docs`,
  ];
  if (first === null) return [...lines, ''];
  return [
    ...lines,
    '',
    'First scan of the project "demo", in a second terminal:',
    `  export CSPM_URL=${url}`,
    `  export CSPM_API_KEY=${first.madeUpKey ?? '"$BOOTSTRAP_API_KEY"'}`,
    '  npm run cspm -- scan --project demo',
    '',
  ];
}
