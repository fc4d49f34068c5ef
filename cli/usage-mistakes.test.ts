import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { commandLine } from './testing/command-line.ts';

const SAMPLE = fileURLToPath(new URL('../samples/shop-prod.ndjson', import.meta.url));

describe('mistakes in a command line', () => {
  const cspm = commandLine();

  it.each([[['scan', '--local']], [['inventory', 'validate']], [['scan', '--plan']]])(
    'cspm %j refuses a directory, and exits with 2',
    async (args) => {
      const against = args.includes('--plan') ? ['--against', 'shop'] : [];
      const { code, messages } = await cspm([...args, tmpdir(), ...against], {
        environment: { CSPM_API_KEY: 'cspm_key' },
      });
      expect(code).toBe(2);
      expect(messages).toContain(`${tmpdir()} is a directory. Name a file in it.`);
    },
  );

  it.each([
    [{ CSPM_URL: 'cspm.example:3000' }, [], 'Set it to https://cspm.example:3000'],
    [{ CSPM_URL: 'ftp://cspm.example' }, [], 'CSPM_URL is "ftp://cspm.example"'],
    [{ CSPM_URL: 'https://' }, [], 'is not a URL'],
    [{}, ['--url', 'localhost'], '--url is "localhost", which does not begin with http://'],
  ])(
    'cspm exits with 2 for an invalid service address and says how to correct it: %j %j',
    async (url, more, words) => {
      const environment = { CSPM_API_KEY: 'cspm_key', ...url };
      for (const command of ['findings', 'login']) {
        const { code, messages } = await cspm([command, ...more], { environment });
        expect(code).toBe(2);
        expect(messages).toContain(words);
      }
    },
  );

  it.each(['http://ann:hush@localhost:3000', 'ann:hush@localhost', 'ftp://ann:hush@localhost'])(
    'cspm does not repeat the password of the service address %s',
    async (url) => {
      for (const [environment, args] of [
        [{ CSPM_URL: url }, ['findings']],
        [{}, ['login', '--url', url]],
      ] as const) {
        const { code, messages } = await cspm([...args], {
          environment: { CSPM_API_KEY: 'cspm_key', ...environment },
        });
        expect(code).toBe(2);
        expect(messages).toContain('has a user name or a password');
        expect(messages).not.toContain('hush');
      }
    },
  );

  it.each([
    [['scan'], 'Set exactly one of --project, --gcp'],
    ...[
      ['scan', '--local'],
      ['inventory', 'validate'],
      ['mock', '--document'],
    ].map((args): [string[], string] => [
      [...args, 'nowhere.ndjson'],
      `cannot read ${resolve('nowhere.ndjson')}: there is no such file.`,
    ]),
    [['scan', '--local', `${SAMPLE}/x`], 'x: a part of the path is not a directory.'],
    [['scan', '--local', SAMPLE, '--rules', 'no.yaml'], `cannot read ${resolve('no.yaml')}: there`],
    [
      ['scan', '--local', SAMPLE, '--profile', 'nope'],
      '--profile does not accept "nope". Allowed values: full, cis-gcp-2.0',
    ],
    [
      ['scan', '--local', SAMPLE, '--fail-on', 'bad'],
      '--fail-on does not accept "bad". Allowed values: critical, high',
    ],
    [['scan', '--project', 'shop', '--summary'], '--summary needs --local'],
    [['scan', '--project', 'shop', '--format', 'json'], '--format json needs --local'],
    [['scan', '--local', SAMPLE, '--timeout', '30m'], '--timeout needs --project.'],
    ...['30', '0s', '25h', '1.5h', '-1m', '999999999h', 'soon'].map((time): [string[], string] => [
      ['scan', '--project', 'shop', `--timeout=${time}`],
      `--timeout does not accept "${time}". It needs a number of seconds, minutes or hours up to 24h`,
    ]),
    [['scan', '--local', SAMPLE, '--only-new'], '--only-new needs the service'],
    [['scan', '--local', SAMPLE, '--fixes', '-'], '--fixes and --output would write to the same'],
    [
      ['scan', '--local', SAMPLE, '--output', './cspm-same', '--fixes', 'cspm-same'],
      '--fixes and --output would write to the same place.',
    ],
    [['scan', '--local', SAMPLE, '--colour'], "'--colour'"],
    [['scan', '--local', SAMPLE, 'more'], 'Unexpected argument "more"'],
    [['findings', '--sevrity', 'high'], "Unknown option '--sevrity'. Did you mean --severity?\n"],
    [['findings', '--x'], "Unknown option '--x'.\n"],
    [['scna'], 'Unknown command "scna". Did you mean "scan"?\n'],
    [['inventry'], 'Unknown command "inventry". Did you mean "inventory"?\n'],
    [['inventory', 'pul'], 'Unknown command "inventory pul". Did you mean "inventory pull"?\n'],
    [['frobnicate'], 'Unknown command "frobnicate".\n'],
    [['inventory'], 'The command is missing after "inventory".\n\nUsage: cspm inventory <command>'],
    [['help', 'scna'], 'Unknown command "scna"'],
    [['inventory', 'nothing', '--help'], 'Unknown command "inventory nothing"'],
    [['scans', 'delete'], 'Unknown action "delete". Use one of: list, compare, report.'],
    [['scans'], 'The action is missing. Use one of: list, compare, report.'],
  ])('cspm exits with 2 and names the mistake: %j', async (args, words) => {
    const { code, output, messages } = await cspm(args);
    expect({ code, output }).toEqual({ code: 2, output: '' });
    expect(messages).toContain(words);
  });

  it.each([
    [
      ['help', 'findings'],
      ['findings', '--help'],
    ],
    [
      ['--help', 'findings'],
      ['findings', '--help'],
    ],
    [
      ['help', 'inventory', 'pull'],
      ['inventory', 'pull', '--help'],
    ],
    [
      ['help', 'inventory'],
      ['inventory', '--help'],
    ],
    [['help', '--help'], ['help']],
  ])('cspm %j prints the same help as cspm %j', async (args, same) => {
    const printed = await cspm(args);
    expect(printed).toMatchObject({ code: 0, messages: '' });
    expect(printed).toEqual(await cspm(same));
  });

  it.each(['--help', '-h'])(
    'cspm inventory %s prints the help of its commands to standard output, and exits with 0',
    async (option) => {
      const { code, output, messages } = await cspm(['inventory', option]);
      expect({ code, messages }).toEqual({ code: 0, messages: '' });
      expect(output).toMatch(/^Usage: cspm inventory <command> \[options\]\n\n {2}inventory pull /);
      expect(output).toContain('\n  inventory validate  ');
    },
  );
});
