import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../server/platform/database/migrate.ts';
import { DebianCluster, debianPostgres } from '../kit/debian-postgres.ts';

const bin = debianPostgres();
const suite =
  bin === null
    ? 'deploy/postgres-roles.sh: skipped, Debian’s package postgresql is not installed'
    : 'deploy/postgres-roles.sh';

describe.skipIf(bin === null)(suite, () => {
  let cluster: DebianCluster;

  beforeAll(async () => {
    cluster = await DebianCluster.start(bin ?? '');
  });

  afterAll(() => cluster.stop());

  it('deploy/postgres-roles.sh prepares a database of any name in a cluster that has the roles, so that its owner migrates it', async () => {
    const urls = await cluster.prepareDatabase('eu-2');
    expect(await migrate(urls)).not.toEqual([]);
  });

  it('deploy/postgres-roles.sh can be repeated, and keeps the passwords of the roles', async () => {
    await migrate(cluster.urls);
    await cluster.prepareRoles('cspm', 'another password');
    expect(await migrate(cluster.urls)).toEqual([]);
  });
});
