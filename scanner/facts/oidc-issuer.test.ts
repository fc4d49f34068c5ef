import { expect, it } from 'vitest';
import { isSharedIssuer } from './oidc-issuer.ts';

it.each([
  'https://token.actions.githubusercontent.com',
  'https://token.actions.githubusercontent.com/',
  'HTTPS://Token.Actions.GithubUserContent.com',
  'token.actions.githubusercontent.com',
  'https://gitlab.com',
  'https://app.terraform.io',
  'https://agent.buildkite.com',
  'https://api.pulumi.com/oidc',
])('the OIDC issuer %s is shared by many tenants', (issuer) => {
  expect(isSharedIssuer(issuer)).toBe(true);
});

it.each([
  'https://token.actions.githubusercontent.com/octo-enterprise',
  'https://gitlab.shop.example',
  'https://gitlab.com.shop.example',
  'https://oidc.circleci.com/org/5f2e0f5a-0000-0000-0000-000000000000',
  'https://oidc.eks.eu-west-1.amazonaws.com/id/0123456789ABCDEF',
  'https://sts.windows.net/3a1b2c3d-0000-0000-0000-000000000000/',
  'https://api.pulumi.com',
  '',
])('the OIDC issuer %s belongs to one tenant', (issuer) => {
  expect(isSharedIssuer(issuer)).toBe(false);
});
