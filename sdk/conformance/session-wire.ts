import { problem, type Received, type Reply, type Step } from './server.ts';

/** The endpoints that renew a session and raise it, as our service has them. */
export const REFRESH = 'POST /auth/refresh';
export const VERIFY = 'POST /auth/2fa/verify';

/** What a refused access token meets. */
export const EXPIRED = problem(401, 'UNAUTHORIZED');

/** The pair of tokens of a generation; a session begins with the first. */
export function tokens(generation: number) {
  return {
    accessToken: `access-${generation}`,
    refreshToken: `refresh-${generation}`,
    tokenType: 'Bearer',
    expiresIn: 900,
  };
}

/** Lets in who brings the access token of a generation. */
export function guarded(generation: number, within: Reply, otherwise: Step = EXPIRED): Step {
  return ({ headers }) =>
    headers.authorization === `Bearer access-${generation}` ? within : otherwise;
}

/** Answers each refresh token with the pair after it. */
export function rotate({ body }: Received): Reply {
  const { refreshToken } = JSON.parse(body) as { refreshToken: string };
  return { body: tokens(Number(refreshToken.split('-')[1]) + 1) };
}
