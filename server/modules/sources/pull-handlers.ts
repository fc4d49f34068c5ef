import { idAfter, pageFrom } from '../../platform/cursor.ts';
import type { TenantConnection } from '../../platform/database/tenant-database.ts';
import type { HandlersOf } from '../../platform/handler.ts';
import { notFound, ProblemError } from '../../platform/problem.ts';
import { requesterOf } from './handlers.ts';
import { findPull, findPullInProgress, insertPull, listPulls } from './pull-queries.ts';
import { findProjectId, lockProject } from './queries.ts';
import { pullView } from './view.ts';

export const pulls: HandlersOf<'pulls'> = {
  async start({ input: { params }, principal, db, origin, audit }) {
    const projectId = await lockProject(db, params.name);
    if (projectId === null) throw notFound();
    const id = await insertPull(db, projectId, requesterOf(principal), origin.at);
    if (id === null) throw await refusal(db, params.name, projectId);
    const pull = await findPull(db, projectId, id);
    if (pull === null) throw notFound();
    audit({ subject: params.name, detail: { projectId, pullId: id } });
    return { status: 202, body: pullView(pull, origin.at) };
  },

  async list({ input: { params, query }, db, origin }) {
    const projectId = await projectOf(db, params.name);
    const page = { before: idAfter(query.cursor), limit: query.limit + 1 };
    const rows = await listPulls(db, projectId, page);
    const view = (row: (typeof rows)[number]) => pullView(row, origin.at);
    return { status: 200, body: pageFrom(rows, query.limit, (row) => row.id, view) };
  },

  async get({ input: { params }, db, origin }) {
    const pull = await findPull(db, await projectOf(db, params.name), params.id);
    if (pull === null) throw notFound();
    return { status: 200, body: pullView(pull, origin.at) };
  },
};

async function refusal(
  db: TenantConnection,
  project: string,
  projectId: string,
): Promise<ProblemError> {
  const current = await findPullInProgress(db, projectId);
  return new ProblemError(
    'CONFLICT',
    current === null
      ? `Project ${project} has no inventory source. Set one with PUT /projects/${project}/source.`
      : `Pull ${current.id} of project ${project} is in progress. Wait for its end.`,
  );
}

async function projectOf(db: TenantConnection, name: string): Promise<string> {
  const projectId = await findProjectId(db, name);
  if (projectId === null) throw notFound();
  return projectId;
}
