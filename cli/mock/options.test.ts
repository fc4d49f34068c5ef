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

  it('cspm mock refuses an unknown feature and lists the known ones', async () => {
    const { code, output, messages } = await mock('foo');
    expect({ code, output }).toEqual({ code: 2, output: '' });
    expect(messages).toContain(
      `--features does not accept "foo". Allowed values: ${FEATURES.join(', ')}.`,
    );
  });
});
