import { problem, type Received, type Reply, type Step } from './server.ts';

/** The service's endpoints for refresh and step-up. */
export const REFRESH = 'POST /auth/refresh';
export const VERIFY = 'POST /auth/2fa/verify';

/** The response to a refused access token. */
export const EXPIRED = problem(401, 'UNAUTHORIZED');

/** The token pair of a generation; a session starts with the first. */
export function tokens(generation: number) {
  return {
    accessToken: `access-${generation}`,
    refreshToken: `refresh-${generation}`,
    tokenType: 'Bearer',
    expiresIn: 900,
  };
}

/** Answers `within` to the access token of this generation, and `otherwise` to all others. */
export function guarded(generation: number, within: Reply, otherwise: Step = EXPIRED): Step {
  return ({ headers }) =>
    headers.authorization === `Bearer access-${generation}` ? within : otherwise;
}

/** Answers each refresh token with the next pair. */
export function rotate({ body }: Received): Reply {
  const { refreshToken } = JSON.parse(body) as { refreshToken: string };
  return { body: tokens(Number(refreshToken.split('-')[1]) + 1) };
}
