import { expect, it } from 'vitest';
import { isAppEngineDefaultAccount, isComputeDefaultAccount } from './default-account.ts';

it.each([
  ['482915036174-compute@developer.gserviceaccount.com', true, false],
  ['482915036174-Compute@developer.gserviceaccount.com', true, false],
  ['shop-prod@appspot.gserviceaccount.com', false, true],
  // A project id with a domain, example.com:shop.
  ['shop.example.com@appspot.gserviceaccount.com', false, true],
  ['shop-compute@developer.gserviceaccount.com', false, false],
  ['482915036174-compute@developer.gserviceaccount.com.evil.example', false, false],
  ['compute@shop-prod.iam.gserviceaccount.com', false, false],
  ['@appspot.gserviceaccount.com', false, false],
  ['shop-prod@appspot.gserviceaccount.com.evil.example', false, false],
  ['default', false, false],
  ['', false, false],
])('%s is the default account of Compute Engine: %s, of App Engine: %s', (email, compute, app) => {
  expect(isComputeDefaultAccount(email)).toBe(compute);
  expect(isAppEngineDefaultAccount(email)).toBe(app);
});
