import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FEATURES } from '@cspm/contract';
import { describe, expect, it } from 'vitest';
import { commandLine } from '../testing/command-line.ts';

describe('cspm mock', () => {
  const cspm = commandLine();
  const mock = (features: string) =>
    cspm(['mock', '--port', '0', '--features', features], { interrupted: AbortSignal.abort() });

  it('cspm mock accepts every feature of the contract', async () => {
    expect(await mock(FEATURES.join(','))).toMatchObject({ code: 0, messages: '' });
  });

  it('cspm mock names a port that is in use, and exits with 2', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { code, messages } = await cspm(['mock', '--port', `${port}`]);
    server.close();
    expect(code).toBe(2);
    expect(messages).toContain(`Cannot listen on 127.0.0.1:${port}: `);
    expect(messages).toContain('--port 0 selects a free port.');
  });

  it('cspm mock refuses an unknown feature and lists the known ones', async () => {
    const { code, output, messages } = await mock('foo');
    expect({ code, output }).toEqual({ code: 2, output: '' });
    expect(messages).toContain(
      `--features does not accept "foo". Allowed values: ${FEATURES.join(', ')}.`,
    );
  });
});
