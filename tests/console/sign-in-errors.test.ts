import { contract, impliedProblems, type Route } from '@cspm/contract';
import { expect, it } from 'vitest';
import { SIGN_IN_ERRORS } from '../../console/src/screens/callback/sign-in-errors.ts';

it('every refusal that leads a browser to the page after a sign-in has a text', () => {
  const routes: Route[] = Object.values(contract).flatMap((group): Route[] => Object.values(group));
  const opened = routes.filter(({ metadata }) => metadata.navigation);
  expect(opened.map(({ path }) => path).toSorted()).toEqual([
    '/auth/google/callback',
    '/auth/google/login',
    '/auth/saml/acs',
    '/auth/saml/login',
  ]);
  const codes = new Set([...opened, contract.auth.exchange].flatMap(impliedProblems));
  // The page asks for the confirmation instead.
  codes.delete('CONFIRMATION_REQUIRED');
  expect(Object.keys(SIGN_IN_ERRORS).toSorted()).toEqual([...codes].toSorted());
});
