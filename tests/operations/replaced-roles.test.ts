import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../server/platform/database/migrate.ts';
import type { DatabaseUrls } from '../kit/database.ts';
import { DebianCluster, debianPostgres } from '../kit/debian-postgres.ts';

const bin = debianPostgres();
const suite =
  bin === null
    ? 'replaced roles of Postgres: skipped, Debian’s package postgresql is not installed'
    : 'replaced roles of Postgres';
const PASSWORD = 'a-password-without-escapes';
const NEW_NAMES = { cspm_app: 'cspm_app2', cspm_worker: 'cspm_worker2' };

describe.skipIf(bin === null)(suite, () => {
  let cluster: DebianCluster;
  /** Has no role of the service, except those that a fresh cluster gets from deploy/postgres-roles.sh. */
  let other: DebianCluster;
  let manual: string;

  beforeAll(async () => {
    cluster = await DebianCluster.start(bin ?? '');
    other = await DebianCluster.start(bin ?? '');
    manual = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  });

  afterAll(() => Promise.all([cluster.stop(), other.stop()]));

  /** The blocks of commands of a section, as an operator copies them; `...` stands for a password there. */
  function commandsOf(heading: string): string[] {
    const section = manual.split(/^(?=#{2,3} )/m).find((text) => text.startsWith(`${heading}\n`));
    const blocks = section?.matchAll(/^( *)```sh\n([\s\S]*?)^\1```$/gm) ?? [];
    return [...blocks].map(([, , commands = '']) =>
      commands.replaceAll('PASSWORD=...', `PASSWORD=${PASSWORD}`),
    );
  }

  function withNewRoles({ ownerUrl, ...urls }: DatabaseUrls): DatabaseUrls {
    const replaced = (url: string) => {
      const { host, pathname, username } = new URL(url);
      return `postgres://${username}2:${PASSWORD}@${host}${pathname}`;
    };
    return { ownerUrl, appUrl: replaced(urls.appUrl), workerUrl: replaced(urls.workerUrl) };
  }

  const roles = (of: DebianCluster) =>
    of.sql(
      "SELECT string_agg(rolname, ' ' ORDER BY rolname) FROM pg_roles WHERE rolname ~ '^cspm'",
    );

  it('the commands of docs/operations.md replace the roles that serve and scan, and remove the former ones', async () => {
    await migrate(cluster.urls);
    const [create = '', remove = ''] = commandsOf('### Replacing the roles of Postgres');
    await cluster.shell(create);
    expect(await migrate(withNewRoles(cluster.urls))).toEqual([]);
    await cluster.shell(remove);
    expect(await roles(cluster)).toBe('cspm_app2 cspm_owner cspm_worker2');
    expect(await migrate(withNewRoles(cluster.urls))).toEqual([]);
  });

  it('the commands of docs/operations.md restore a database whose roles were replaced, in a cluster that has only the roles of before', async () => {
    const [dump = '', rename = '', list = '', restore = ''] = commandsOf('## Backup and restore');
    await cluster.shell(dump);
    await copyFile(join(cluster.folder, 'cspm.dump'), join(other.folder, 'cspm.dump'));
    await other.shell(rename);
    const named = (await other.shell(list)).trim().split('\n');
    expect(named.filter((role) => role.startsWith('cspm'))).toEqual([
      'cspm_app2',
      'cspm_owner',
      'cspm_worker2',
    ]);
    // As the text asks: the names of the URLs.
    const names = Object.entries(NEW_NAMES);
    await other.shell(
      names.reduce((text, [before, now]) => text.replace(`ROLE=${before}`, `ROLE=${now}`), restore),
    );
    expect(await migrate(withNewRoles(other.urls))).toEqual([]);
  });
});
