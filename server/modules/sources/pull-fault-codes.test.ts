import { GOOGLE_CLOUD_ERROR_CODES } from '@cspm/google-cloud';
import { expect, it } from 'vitest';
import { documentedCodes } from '../../../tests/kit/documented.ts';
import { PULL_FAULT_CODES } from './pull-progress.ts';

it('docs/google-cloud.md describes every error code of the Google client and every problem code of a pull, and no other', () => {
  const errors = documentedCodes('google-cloud.md', '## Errors');
  expect(errors.toSorted()).toEqual(GOOGLE_CLOUD_ERROR_CODES.toSorted());
  const own = documentedCodes('google-cloud.md', '### Codes of failed pulls');
  expect([...errors, ...own].toSorted()).toEqual(PULL_FAULT_CODES.toSorted());
});
