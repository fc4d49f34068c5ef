import { describe, expect, it } from 'vitest';
import { contractCases, pathOf } from '../../tests/kit/contract-operations.ts';
import { RouteTable } from './match.ts';

const table = new RouteTable();

/** The match as one line of text. */
function found(method: string, path: string): string {
  const match = table.match(method, path);
  if (match.kind === 'unknown_path') return 'nothing';
  if (match.kind === 'unknown_method') return `allows ${match.allow.join(' ')}`;
  const params = Object.entries(match.params).map(([name, value]) => ` ${name}=${value}`);
  return match.endpoint.name + params.join('');
}

describe('the table of routes', () => {
  it('the table of routes finds every operation of the contract by its path', () => {
    for (const subject of contractCases()) {
      const params = Object.fromEntries(subject.parameters.map((name) => [name, 'x']));
      const path = pathOf(subject, params);
      expect(found(subject.route.method, path).split(' ')[0]).toBe(subject.name);
      expect(found(subject.route.method, `/api/v1${path}/`).split(' ')[0]).toBe(subject.name);
    }
  });

  it.each([
    ['GET', '/', 'pages.home'],
    ['GET', '//', 'pages.home'],
    ['GET', '/api/v1', 'pages.home'],
    ['GET', '/api/v1/', 'pages.home'],
    ['GET', '/scans', 'scans.list'],
    ['POST', '/scans', 'scans.launch'],
    ['HEAD', '/scans', 'scans.list'],
    ['GET', '/SCANS/', 'scans.list'],
    ['GET', '/scans/Abc', 'scans.get id=Abc'],
    ['GET', '/scans/Abc/RULES', 'scans.rules id=Abc'],
    ['GET', '/Api/V1/scans/a%20b', 'scans.get id=a b'],
    ['GET', '/scans/a%2Fb', 'scans.get id=a/b'],
    ['GET', '/scans/a%2Frules', 'scans.get id=a/rules'],
    ['GET', '/projects/api', 'projects.get name=api'],
    ['GET', '/projects/__proto__', 'projects.get name=__proto__'],
    ['DELETE', '/projects/a', 'projects.delete name=a'],
    ['GET', '/projects/a/inventories', 'projects.inventories name=a'],
    ['GET', '/projects/a/assets', 'assets.list project=a'],
    ['GET', '/projects/a/assets/lookup', 'assets.lookup project=a'],
  ])('the table of routes maps %s %s to %s', (method, path, expected) => {
    expect(found(method, path)).toBe(expected);
  });

  it.each([
    '',
    '/api',
    '///',
    '/api/v1///',
    '/api/v1/api/v1/scans',
    '/v1/scans',
    '/scans//',
    '//scans',
    '/scans/a/b',
    '/scans//rules',
    '/scans/a/rules/b',
    '/%73cans',
    '/auth',
    '/__proto__',
    '/constructor',
    '*',
  ])('the table of routes has no operation at the path "%s"', (path) => {
    expect(found('GET', path)).toBe('nothing');
  });

  it.each([
    ['PATCH', '/scans', 'allows GET POST HEAD'],
    ['HEAD', '/auth/login', 'allows POST'],
    ['GET', '/auth/login', 'allows POST'],
    ['PUT', '/projects/a', 'allows GET PATCH DELETE HEAD'],
    ['get', '/scans', 'allows GET POST HEAD'],
    ['constructor', '/scans', 'allows GET POST HEAD'],
  ])('the table of routes refuses %s %s because the path %s', (method, path, expected) => {
    expect(found(method, path)).toBe(expected);
  });

  it.each(['/%', '/%zz', '/scans/%e0%a4', '/nothing/%zz', '/scans/%c3%28/rules'])(
    'the table of routes refuses an invalid path: %s',
    (path) => {
      expect(() => table.match('GET', path)).toThrow('invalid % escape');
    },
  );
});
