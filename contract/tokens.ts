import { z } from 'zod';

export const Tokens = z
  .object({
    accessToken: z.string().describe('Send it as `Authorization: Bearer …`.'),
    refreshToken: z.string().describe('Good for one use at `POST /auth/refresh`.'),
    tokenType: z.literal('Bearer'),
    expiresIn: z.int().describe('Life of the access token in seconds.').meta({ example: 900 }),
  })
  .meta({ id: 'Tokens', description: 'A session: a short-lived access token and what renews it.' });
