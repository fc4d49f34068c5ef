import { describe, expect, it } from 'vitest';
import { addressOf, candidatesIn, faultOfHosts, hostsIn } from './hosts.ts';

describe('the hosts of a URL', () => {
  it('a database URL with several hosts becomes one URL per host, with the same role, database and parameters', () => {
    const url = 'postgres://app:p%40ss@db1:5432,db2,[::1]:5433/cspm?sslmode=require';
    expect(hostsIn(url).urls).toEqual([
      'postgres://app:p%40ss@db1:5432/cspm?sslmode=require',
      'postgres://app:p%40ss@db2/cspm?sslmode=require',
      'postgres://app:p%40ss@[::1]:5433/cspm?sslmode=require',
    ]);
  });

  it.each([
    ['postgres://a@db/cspm?target_session_attrs=read-write', 'postgres://a@db/cspm'],
    [
      'postgres://a@db/cspm?target_session_attrs=primary&sslmode=require',
      'postgres://a@db/cspm?sslmode=require',
    ],
    [
      'postgres://a@db/cspm?sslmode=require&target_session_attrs=primary',
      'postgres://a@db/cspm?sslmode=require',
    ],
  ])(
    'target_session_attrs, which node-postgres does not know, is removed from database URLs: %s',
    (url, without) => {
      expect(candidatesIn(url)).toEqual([without]);
    },
  );

  it('one host without target_session_attrs is not searched for a primary', () => {
    expect(candidatesIn('postgres://app:secret@db:5432/cspm?sslmode=require')).toBeNull();
    expect(candidatesIn('postgres:///cspm?host=/var/run/postgresql')).toBeNull();
  });

  it('the hosts of a database URL are shown without the password', () => {
    expect(addressOf('postgres://app:secret@db1:5432/cspm')).toBe('db1:5432');
    expect(addressOf('postgres://app:se,cr@et@db1/cspm')).toBe('db1');
  });
});

describe('a URL with one host', () => {
  it.each([
    'postgres://a:se/cret@db/cspm',
    'postgres://a:se#cret@db/cspm',
    'postgres://a:12#cret@db/cspm',
    'postgres://a:se?cret@db/cspm',
    'postgres://a@db:port/cspm',
  ])('the database URL %s is refused, with a hint about special characters', (url) => {
    expect(faultOfHosts(url, 'primary')).toContain('percent-encode');
  });

  it.each([
    'postgres://a:se%2Fcret@db:5432/cspm?sslmode=require',
    'postgres://a:se%cret@db/cspm',
    'postgres://a@%2Fvar%2Frun%2Fpostgresql/cspm',
    'postgres://a@/cspm?host=/var/run/postgresql',
    'postgres:///cspm',
  ])('the database URL %s, which node-postgres understands, is accepted', (url) => {
    expect(faultOfHosts(url, 'primary')).toBeNull();
  });
});

describe('a list of hosts', () => {
  it.each([
    ['postgres://a@db1,/cspm', 'primary'],
    ['postgres://a@,db2/cspm', 'primary'],
    ['postgres://a@db1:99999,db2/cspm', 'primary'],
    ['postgres://a@db1,db2 x/cspm', 'replicas'],
    ['postgres://a@db1,db2/cspm?target_session_attrs=any', 'primary'],
    ['postgres://a@db1/cspm?target_session_attrs=standby', 'primary'],
    ['postgres://a@db1/cspm?target_session_attrs=primary', 'replicas'],
  ] as const)('the database URL %s is refused for the %s', (url, kind) => {
    expect(faultOfHosts(url, kind)).not.toBeNull();
  });

  it('a database URL with several valid hosts is accepted', () => {
    expect(faultOfHosts('postgres://a@db1,db2:5433/cspm', 'primary')).toBeNull();
    expect(faultOfHosts('postgres://a@db1,db2:5433/cspm', 'replicas')).toBeNull();
    expect(
      faultOfHosts('postgres://a@db1,db2/cspm?target_session_attrs=read-write', 'primary'),
    ).toBeNull();
    expect(faultOfHosts('postgres:///cspm?host=/var/run/postgresql', 'primary')).toBeNull();
  });
});
