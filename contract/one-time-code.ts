import { z } from 'zod';

/** A TOTP code: six ASCII digits. */
export const totpCode = z
  .string()
  .regex(/^[0-9]{6}$/, 'must be six digits')
  .meta({ example: '287082' });

/** A TOTP code, or a recovery code as it was displayed. */
export const secondFactorCode = z
  .string()
  .regex(
    /^([0-9]{6}|[0-9A-Za-z]{6}(-?[0-9A-Za-z]{6}){3})$/,
    'must be six digits, or a recovery code of four groups of six characters',
  )
  .describe('The code that the authenticator shows, or a recovery code.')
  .meta({ example: '287082' });
