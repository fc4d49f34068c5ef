import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { NODE_VERSIONS } from '../node-versions/node-versions.ts';

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: { readonly node: readonly number[] } };
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}

interface Workflow {
  readonly on: Readonly<Record<string, { readonly tags?: readonly string[] } | null>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

async function textOf(name: string): Promise<string> {
  return readFile(new URL(`../../.github/workflows/${name}.yml`, import.meta.url), 'utf8');
}

const TESTED = Object.keys(NODE_VERSIONS).map(Number);

const workflow = async (name: string): Promise<Workflow> => parse(await textOf(name));

test('CI runs .ci/run on every tested version of Node for pushes and pull requests', async () => {
  const { on, jobs } = await workflow('ci');
  expect(Object.keys(on)).toEqual(['push', 'pull_request']);
  expect(jobs['ci']?.strategy?.matrix.node).toEqual(TESTED);
  expect(jobs['ci']?.steps.map(({ run }) => run)).toContain('.ci/run');
});

test('a tag publishes only after .ci/run has passed on the same versions of Node', async () => {
  const { on, jobs } = await workflow('release');
  expect(on).toEqual({ push: { tags: ['v*'] } });
  expect(jobs['ci']?.strategy?.matrix.node).toEqual(TESTED);
  expect(jobs['ci']?.steps.map(({ run }) => run)).toContain('.ci/run');
  expect(jobs).toMatchObject({
    pack: { needs: 'ci' },
    npm: { needs: 'pack' },
    github: { needs: 'npm' },
  });
});

test.each(['ci', 'release'])(
  'the workflow %s.yml pins every action to a commit and names its version',
  async (name) => {
    const uses = (await textOf(name)).split('\n').filter((line) => line.includes('uses:'));
    expect(uses.length).toBeGreaterThan(0);
    for (const line of uses)
      expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  },
);

test('jobs of the workflows may read the repository, and write only what they publish', async () => {
  for (const name of ['ci', 'release']) {
    expect((await workflow(name)).permissions).toEqual({ contents: 'read' });
  }
  const { jobs } = await workflow('release');
  const more = Object.entries(jobs).filter(([, { permissions }]) => permissions !== undefined);
  expect(Object.fromEntries(more.map(([name, { permissions }]) => [name, permissions]))).toEqual({
    npm: { contents: 'read', 'id-token': 'write' },
    github: { contents: 'write' },
  });
});
