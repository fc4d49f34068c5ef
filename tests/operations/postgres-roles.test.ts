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

  it('deploy/postgres-roles.sh passes no password as an argument, which everybody on the machine could read', async () => {
    const output = await cluster.shell(`
      mkdir -p recording
      printf '#!/bin/sh\\necho "psql $*"\\nexec ${bin}/psql "$@"\\n' > recording/psql
      chmod 755 recording/psql
      export OWNER_ROLE=an_owner APP_ROLE=an_app WORKER_ROLE=a_worker
      export OWNER_PASSWORD=first-secret APP_PASSWORD=second-secret WORKER_PASSWORD=third-secret
      createdb -U postgres recorded
      PATH=$PWD/recording:$PATH POSTGRES_USER=postgres POSTGRES_DB=recorded sh deploy/postgres-roles.sh
      PGPASSWORD=third-secret psql -h 127.0.0.1 -U a_worker -d recorded -c 'SELECT current_user'
    `);
    expect(output).toContain('--set worker_role=a_worker');
    expect(output).toContain('a_worker\n');
    expect(output).not.toContain('secret');
  });

  it('deploy/postgres-roles.sh can be repeated, and keeps the passwords of the roles', async () => {
    await migrate(cluster.urls);
    await cluster.prepareRoles('cspm', 'another password');
    expect(await migrate(cluster.urls)).toEqual([]);
  });
});
