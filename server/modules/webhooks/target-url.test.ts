import { expect, it } from 'vitest';
import { AddressPolicy } from './address-policy.ts';
import { targetFault } from './target-url.ts';

const production = new AddressPolicy({ allow: [], loopback: false });
const development = new AddressPolicy({ allow: [], loopback: true });

it.each([
  'https://hooks.example.com/path?query=1',
  'https://hooks.example.com:443/',
  'https://hooks.example.com:8443/',
  'https://8.8.8.8/',
  'https://[2606:4700:4700::1111]/',
  'https://bücher.example/',
])('a webhook may have the URL %s', (url) => {
  expect(targetFault(url, production)).toBeNull();
});

it.each([
  ['http://hooks.example.com/', 'https'],
  ['ftp://hooks.example.com/', 'https'],
  ['javascript:alert(1)', 'https'],
  ['https://user@hooks.example.com/', 'credentials'],
  ['https://user:password@hooks.example.com/', 'credentials'],
  ['https://hooks.example.com/#part', 'fragment'],
  ['https://hooks.example.com:22/', 'port'],
  ['https://hooks.example.com:80/', 'port'],
  ['https://hooks.example.com:1023/', 'port'],
  ['https://hooks.example.com:0/', 'port'],
  ['https://10.0.0.1/', 'public host'],
  ['https://127.0.0.1/', 'public host'],
  ['https://127.1/', 'public host'],
  ['https://0x7f000001/', 'public host'],
  ['https://2130706433/', 'public host'],
  ['https://0177.0.0.1/', 'public host'],
  ['https://[::1]/', 'public host'],
  ['https://[::ffff:169.254.169.254]/', 'public host'],
  ['https://169.254.169.254/', 'public host'],
  ['https://localhost/', 'public host'],
  ['https://LOCALHOST./', 'public host'],
  ['https://a.localhost/', 'public host'],
  ['https://metadata.google.internal/', 'public host'],
  ['https://METADATA.google.internal./', 'public host'],
  ['https://metadata/', 'public host'],
  ['not a url', 'URL'],
  ['https://', 'URL'],
])('a webhook may not have the URL %s in production', (url, reason) => {
  expect(targetFault(url, production)).toContain(reason);
});

it.each(['http://localhost:4000/hook', 'http://127.0.0.1:4000/', 'https://[::1]:4000/'])(
  'a webhook may have the URL %s in development',
  (url) => {
    expect(targetFault(url, development)).toBeNull();
  },
);

it.each(['http://hooks.example.com:4000/', 'http://10.0.0.1:4000/', 'http://localhost/'])(
  'a webhook may not have the URL %s in development',
  (url) => {
    expect(targetFault(url, development)).not.toBeNull();
  },
);
