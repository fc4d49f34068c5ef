import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { hasSection, released } from './changelog.ts';
import { presentVersion, setVersion } from './packages.ts';
import { newestRecord, RECORDS, recordedVersions } from './record.ts';
import { compareVersions, isVersion, mayBreak } from './version.ts';
import { writeRecord } from './write-record.ts';

const run = promisify(execFile);

const USAGE = `Usage: npm run release -- <version> [--dry-run] [--skip-checks]
       npm run release -- --record-only [--dry-run]
       npm run release -- --pack-only <version>

<version>       make this release: version, CHANGELOGs, generated files, checks, record, tarballs
--record-only   only write release/<present version>/, while that version has no tag and no section in CHANGELOG.md
--pack-only     only pack the tarballs of a release that is committed; the workflow uses it
--dry-run       say what would be done, and change nothing
--skip-checks   leave the checks out; only for trying the command itself`;

/** The one of the repository, and those in the packages that are published. */
const CHANGELOGS = ['CHANGELOG.md', 'sdk/CHANGELOG.md', 'cli/CHANGELOG.md'] as const;

/** The slow steps, which tests replace. */
export interface Steps {
  /** `npm run generate`. */
  generate(): Promise<void>;
  /** `npm run check`. */
  check(): Promise<void>;
  /** Fails when the contract breaks callers of the last release. */
  checkBreaking(): Promise<void>;
  /** The rows that the server of this tree writes, as `release/<version>/rows.ndjson`. */
  rows(): Promise<string>;
  /** @returns the tarballs. */
  pack(): Promise<string[]>;
}

export interface Surroundings {
  readonly root: string;
  /** `YYYY-MM-DD`. */
  readonly today: string;
  readonly steps: Steps;
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
}

class Misuse extends Error {}
/** An obstacle that has to be removed before a release can be made. */
class NotReady extends Error {}

/**
 * Makes a release in the working tree, up to the commit.
 * @returns the exit code: 0, done; 1, not done; 2, wrong arguments.
 */
export async function release(args: readonly string[], at: Surroundings): Promise<0 | 1 | 2> {
  if (args.includes('--help')) {
    at.print(USAGE);
    return 0;
  }
  try {
    const task = parse(args);
    if (task.recordOnly) await recordOnly(at, task.dryRun);
    else if (task.packOnly) await packOnly(at, task.version);
    else await make(at, task);
    return 0;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    at.printError(error instanceof Misuse ? `${message}\n${USAGE}` : message);
    return error instanceof Misuse ? 2 : 1;
  }
}

interface Task {
  readonly version: string;
  readonly dryRun: boolean;
  readonly skipChecks: boolean;
  readonly recordOnly: boolean;
  readonly packOnly: boolean;
}

function parse(args: readonly string[]): Task {
  const { values, positionals } = parsed(args);
  const [version = '', ...more] = positionals;
  const recordOnly = values['record-only'];
  if (recordOnly && version !== '') {
    throw new Misuse('--record-only takes the version from package.json. Leave the version out.');
  }
  if (!recordOnly && version === '') throw new Misuse('The version is missing.');
  if (more.length > 0) throw new Misuse('Only one version can be released at a time.');
  if (version !== '' && !isVersion(version)) {
    throw new Misuse(`"${version}" is not a version. Write three numbers, such as 0.2.0.`);
  }
  return {
    version,
    dryRun: values['dry-run'],
    skipChecks: values['skip-checks'],
    recordOnly,
    packOnly: values['pack-only'],
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        'dry-run': { type: 'boolean', default: false },
        'skip-checks': { type: 'boolean', default: false },
        'record-only': { type: 'boolean', default: false },
        'pack-only': { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new Misuse(error instanceof Error ? error.message : String(error));
  }
}

async function recordOnly(at: Surroundings, dryRun: boolean): Promise<void> {
  const version = await presentVersion(at.root);
  await refuseReleased(at.root, version);
  await inOrder(at, dryRun, [
    ['Generate openapi.json, the SDK and the docs', at.steps.generate],
    [`Write the record ${RECORDS}/${version}/`, () => record(at, version)],
  ]);
  if (!dryRun) at.print(`\nNext: git add ${RECORDS} && git commit -m "Record release ${version}"`);
}

/** Refuses a tag that was set on a commit that is not its release. */
async function packOnly({ root, steps, print }: Surroundings, version: string): Promise<void> {
  const present = await presentVersion(root);
  if (present !== version) {
    throw new NotReady(
      `package.json says ${present}, not ${version}. Set the tag on the commit that npm run release -- ${version} made.`,
    );
  }
  if (!(await recordedVersions(root)).includes(version)) {
    throw new NotReady(`${RECORDS}/${version}/ is missing. Run: npm run release -- ${version}`);
  }
  if (!hasSection(await readFile(join(root, 'CHANGELOG.md'), 'utf8'), version)) {
    throw new NotReady(
      `CHANGELOG.md has no section of ${version}. Run: npm run release -- ${version}`,
    );
  }
  for (const tarball of await steps.pack()) print(tarball);
}

async function make(at: Surroundings, { version, dryRun, skipChecks }: Task): Promise<void> {
  const { root, today, steps, print } = at;
  await refuseReleased(root, version);
  await refuseOlder(root, version);
  await refuseDirty(root);
  const changelogs = await Promise.all(
    CHANGELOGS.map(async (file) => {
      const text = await readFile(join(root, file), 'utf8');
      const isOfPackage = file !== 'CHANGELOG.md';
      return { file, text: released({ file, text, isOfPackage }, version, today) };
    }),
  );
  const checks: readonly Step[] = skipChecks
    ? []
    : [
        ['Run npm run check', steps.check],
        ['Compare the contract with the last release', () => compare(at, version)],
      ];
  let tarballs: string[] = [];
  try {
    await inOrder(at, dryRun, [
      [
        `Set the version to ${version} in package.json and package-lock.json`,
        async () => void (await setVersion(root, version)),
      ],
      [
        `Move the entries of ${CHANGELOGS.join(', ')} under "${version} - ${today}"`,
        async () => {
          for (const { file, text } of changelogs) await writeFile(join(root, file), text);
        },
      ],
      ['Generate openapi.json, the SDK and the docs', steps.generate],
      ...checks,
      [`Write the record ${RECORDS}/${version}/`, () => record(at, version)],
      [
        'Pack the SDK and the command line',
        async () => {
          tarballs = await steps.pack();
          for (const tarball of tarballs) print(`   ${tarball}`);
        },
      ],
    ]);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(
      `${message}\n\nThe release was not made. Undo what was written: git restore . && git clean -fd ${RECORDS}`,
    );
  }
  if (dryRun) return;
  print(`
Next:
  git add --all && git commit -m "Release ${version}"
  git tag -a v${version} -m "Release ${version}"
  git push --atomic --follow-tags
The tag starts .github/workflows/release.yml, which publishes. RELEASING.md describes each step.`);
}

type Step = readonly [title: string, work: () => Promise<unknown>];

async function inOrder(
  { print }: Surroundings,
  dryRun: boolean,
  steps: readonly Step[],
): Promise<void> {
  if (dryRun) print('Dry run: nothing is changed. A release would:');
  for (const [index, [title, work]] of steps.entries()) {
    print(`${index + 1}. ${title}`);
    if (!dryRun) await work();
  }
}

async function record({ root, today, steps, print }: Surroundings, version: string) {
  const written = await writeRecord(root, version, today, await steps.rows());
  for (const file of written) print(`   ${file}`);
}

/** A new major version may break callers, and before 1.0.0 a new minor version. */
async function compare({ root, steps, print }: Surroundings, version: string): Promise<void> {
  const versions = await recordedVersions(root);
  if (!versions.some((recorded) => compareVersions(recorded, version) < 0)) {
    print('   This is the first release: there is no earlier one to compare with.');
    return;
  }
  const before = await newestRecord(root, version);
  if (mayBreak(version, before.version)) {
    print(`   ${version} may break callers of ${before.version}: the report does not stop it.`);
    await steps.checkBreaking().catch(() => undefined);
  } else {
    await steps.checkBreaking();
  }
}

async function refuseReleased(root: string, version: string): Promise<void> {
  const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8');
  const tag = await git(root, 'tag', '--list', `v${version}`);
  if (tag !== '' || hasSection(changelog, version)) {
    throw new NotReady(
      `${version} is released already (${tag === '' ? 'CHANGELOG.md has its section' : `tag v${version}`}). Its record stays as it is; choose a later version.`,
    );
  }
}

async function refuseOlder(root: string, version: string): Promise<void> {
  const newest = [...(await recordedVersions(root)), await presentVersion(root)]
    .filter(isVersion)
    .toSorted(compareVersions)
    .at(-1);
  if (newest !== undefined && compareVersions(version, newest) < 0) {
    throw new NotReady(`${version} is older than ${newest}. Choose ${newest} or a later version.`);
  }
}

async function refuseDirty(root: string): Promise<void> {
  const changes = await git(root, 'status', '--porcelain');
  if (changes !== '') {
    throw new NotReady(
      `The working tree has changes that are not committed. Commit or stash them first:\n${changes}`,
    );
  }
}

async function git(root: string, ...args: string[]): Promise<string> {
  return (await run('git', args, { cwd: root })).stdout.trimEnd();
}
