import { SCAN_ID, scan } from './arrange.ts';
import { problem, type Received, type Step } from './server.ts';

export const GET = `GET /scans/${SCAN_ID}`;
export const REFRESH = 'POST /auth/refresh';
export const expired = problem(401, 'UNAUTHORIZED');

export function tokens(generation: number) {
  return {
    accessToken: `access-${generation}`,
    refreshToken: `refresh-${generation}`,
    tokenType: 'Bearer',
    expiresIn: 900,
  };
}

/** Accepts only the access token of this generation. */
export function guarded(generation: number): Step {
  return ({ headers }) =>
    headers.authorization === `Bearer access-${generation}` ? { body: scan() } : expired;
}

/** Answers each refresh token with the next pair. */
export function rotate({ body }: Received): Step {
  const { refreshToken } = JSON.parse(body) as { refreshToken: string };
  return { body: tokens(Number(refreshToken.split('-')[1]) + 1) };
}

export const session = tokens(1);
