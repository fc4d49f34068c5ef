import { z } from 'zod';

/** A code of an authenticator: six ASCII digits and nothing else. */
export const totpCode = z
  .string()
  .regex(/^[0-9]{6}$/, 'must be six digits')
  .meta({ example: '287082' });

/** What may be sent in the place of a code of the authenticator: one of those, or a recovery code as it was shown. */
export const secondFactorCode = z
  .string()
  .regex(
    /^([0-9]{6}|[0-9A-Za-z]{6}(-?[0-9A-Za-z]{6}){3})$/,
    'must be six digits, or a recovery code of four groups of six characters',
  )
  .describe('The code that the authenticator shows, or a recovery code.')
  .meta({ example: '287082' });
