import { z } from 'zod';

export const Tokens = z
  .object({
    accessToken: z
      .string()
      .describe('Send it as `Authorization: Bearer …`.')
      .meta({ example: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIwMTk5YzJhNCJ9.c2lnbmF0dXJl' }),
    refreshToken: z
      .string()
      .describe(
        'Valid for one use at `POST /auth/refresh`. Empty if the request had `X-Session-Transport: cookie`: the token is then only in the cookie.',
      )
      .meta({ example: 'q7Zk1v0Xc9Yb3Lw5Rt8Nj2Hs6Pd4Mf0Ga1Ue7Io3KxT' }),
    tokenType: z.literal('Bearer'),
    expiresIn: z.int().describe('Lifetime of the access token in seconds.').meta({ example: 900 }),
  })
  .meta({
    id: 'Tokens',
    description: 'A session: a short-lived access token and a refresh token.',
  });
