import { describe, expect, it } from 'vitest';
import { SessionCookie } from './session-cookie.ts';

const TOKEN = 'q7Zk1v0Xc9Yb3Lw5Rt8Nj2Hs6Pd4Mf0Ga1Ue7Io3KxT';

describe('the session cookie', () => {
  it.each(['https://posture.example.com', 'http://localhost:3000', 'http://127.0.0.1:3000'])(
    'the session cookie is a Secure __Host- cookie for %s, where browsers keep one',
    (url) => {
      expect(new SessionCookie(url).keep(TOKEN)).toBe(
        `__Host-cspm_session=${TOKEN}; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=604800`,
      );
    },
  );

  it('the session cookie has no prefix and is not Secure on plain http to another host', () => {
    expect(new SessionCookie('http://posture.internal:3000').keep(TOKEN)).toBe(
      `cspm_session=${TOKEN}; Path=/; HttpOnly; SameSite=Strict; Max-Age=604800`,
    );
  });

  it('the session cookie is read only under its own name and in its own form', () => {
    const cookie = new SessionCookie('https://posture.example.com');
    expect(cookie.tokenIn(`a=b; __Host-cspm_session=${TOKEN}; c=d`)).toBe(TOKEN);
    expect(cookie.tokenIn(`cspm_session=${TOKEN}`)).toBeNull();
    expect(cookie.tokenIn('__Host-cspm_session=')).toBeNull();
    expect(cookie.tokenIn(undefined)).toBeNull();
  });
});
