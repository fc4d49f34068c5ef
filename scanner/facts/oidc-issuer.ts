/**
 * Issuers that sign tokens for all of their customers under one address, without the scheme. Services with an address
 * per customer are excluded: CircleCI, Bitbucket, GitHub for an enterprise with its own issuer.
 */
const SHARED_ISSUERS: ReadonlySet<string> = new Set([
  'accounts.google.com',
  'agent.buildkite.com',
  'api.bitbucket.org',
  'api.pulumi.com/oidc',
  'app.eu.terraform.io',
  'app.terraform.io',
  'appleid.apple.com',
  'cognito-identity.amazonaws.com',
  'gitlab.com',
  'login.app.env0.com',
  // All personal Microsoft accounts belong to one tenant.
  'login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
  'oidc.circleci.com',
  'oidc.codefresh.io',
  'oidc.vercel.com',
  'token.actions.githubusercontent.com',
]);

/**
 * Whether anyone can get a token of this issuer by becoming its customer, so the issuer alone does not identify the
 * caller.
 * @param issuer as in a provider of workload identities: `https://token.actions.githubusercontent.com`
 */
export function isSharedIssuer(issuer: string): boolean {
  const address = issuer
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '');
  let end = address.length;
  // A regular expression for trailing slashes would take quadratic time for slashes in the middle.
  while (address[end - 1] === '/') end -= 1;
  return SHARED_ISSUERS.has(address.slice(0, end));
}
