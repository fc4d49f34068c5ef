import { describe, expect, it } from 'vitest';
import { SignInCookie } from './sign-in-cookie.ts';

const pairOf = (setCookie: string) => setCookie.split(';', 1)[0];

describe('the sign-in cookie', () => {
  it.each(['https://posture.example.com', 'http://localhost:3000', 'http://127.0.0.1:3000'])(
    'the sign-in cookie is __Host-, Secure and sent across sites for %s',
    (url) => {
      const { setCookie } = new SignInCookie(url).begin(undefined);
      expect(setCookie).toMatch(
        /^__Host-cspm_sign_in=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=None; Max-Age=900$/,
      );
    },
  );

  it('the sign-in cookie is Lax and without the prefix for plain http on a host other than loopback', () => {
    const cookie = new SignInCookie('http://posture.test:3000');
    expect(cookie.isSentAcrossSites).toBe(false);
    expect(cookie.begin(undefined).setCookie).toMatch(
      /^cspm_sign_in=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=900$/,
    );
  });

  it("the sign-in cookie keeps the browser's existing value, so that several tabs share it", () => {
    const cookie = new SignInCookie('https://posture.example.com');
    const first = cookie.begin(undefined);
    const second = cookie.begin(`a=b; ${pairOf(first.setCookie)}; c`);
    expect(second).toEqual(first);
    expect(cookie.hashIn(pairOf(first.setCookie))).toBe(first.hash);
    expect(first.setCookie).not.toContain(first.hash);
  });

  it.each([
    undefined,
    '',
    'x=y',
    '__Host-cspm_sign_in=short',
    '__Host-cspm_sign_in',
    `cspm_sign_in=${'a'.repeat(43)}`,
  ])('the sign-in cookie is not read from %s', (header) => {
    const cookie = new SignInCookie('https://posture.example.com');
    expect(cookie.hashIn(header)).toBeNull();
    expect(cookie.begin(header).hash).not.toBe(cookie.begin(header).hash);
  });
});
