import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = new URL('../../../', import.meta.url);

/**
 * Runs Redocly's linter on a document, with the rules of redocly.yaml and without the network. For tests.
 *
 * @returns the faults found, each as `<rule>: <message>`.
 */
export async function lint(document: unknown): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'lint-'));
  try {
    const file = join(folder, 'openapi.json');
    await writeFile(file, JSON.stringify(document));
    return parse(await redocly('lint', file, '--format=json'));
  } finally {
    await rm(folder, { recursive: true });
  }
}

function redocly(...args: string[]): Promise<string> {
  const cli = fileURLToPath(new URL('node_modules/@redocly/cli/bin/cli.js', root));
  const config = fileURLToPath(new URL('redocly.yaml', root));
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [cli, ...args, `--config=${config}`],
      { env: { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }, timeout: 300_000 },
      // It exits with 1 for a finding; without any output it did not run at all.
      (error, stdout) => (error && stdout === '' ? reject(error) : resolve(stdout)),
    );
  });
}

function parse(output: string): string[] {
  const report: { problems: { ruleId: string; message: string }[] } = JSON.parse(output);
  return report.problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
}
