/**
 * Issuers that sign tokens for all of their customers under one address, without the scheme. Services that have an
 * address for each customer are not here: CircleCI, Bitbucket, GitHub for an enterprise with its own issuer.
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
  // The accounts of all private people at Microsoft are one tenant.
  'login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
  'oidc.circleci.com',
  'oidc.codefresh.io',
  'oidc.vercel.com',
  'token.actions.githubusercontent.com',
]);

/**
 * Whether anybody can get a token of this issuer by becoming its customer, so that the issuer alone says nothing about
 * who is there.
 *
 * @param issuer as in a provider of workload identities: `https://token.actions.githubusercontent.com`
 */
export function isSharedIssuer(issuer: string): boolean {
  return SHARED_ISSUERS.has(
    issuer
      .trim()
      .toLowerCase()
      .replace(/^https?:\/\//, '')
      .replace(/\/+$/, ''),
  );
}
