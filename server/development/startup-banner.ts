import type { FirstCredentials } from './first-credentials.ts';

/**
 * The lines that a server prints when it is ready. The first start also prints the first credentials and the next step.
 * A secret that the operator set is shown as the name of its variable, never as its value.
 */
export function startupBanner(url: string, first: FirstCredentials | null): string[] {
  const lines = [
    '',
    `Serving on ${url}`,
    `Console: ${url}/console/`,
    `API documentation: ${url}/docs`,
  ];
  if (first === null) return [...lines, ''];
  const { email, madeUpPassword, madeUpKey } = first;
  return [
    ...lines,
    '',
    'First credentials. They are shown only once:',
    `  e-mail    ${email}`,
    `  password  ${madeUpPassword ?? '(BOOTSTRAP_PASSWORD)'}`,
    `  API key   ${madeUpKey ?? '(BOOTSTRAP_API_KEY)'}`,
    '',
    'First scan of the project "demo", in a second terminal:',
    `  export CSPM_URL=${url}`,
    `  export CSPM_API_KEY=${madeUpKey ?? '"$BOOTSTRAP_API_KEY"'}`,
    '  npm run cspm -- scan --project demo',
    '',
  ];
}
