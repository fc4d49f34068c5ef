// Writes the statements of our server as data for the floor, which sends them without building them for each request.
import { writeFile } from 'node:fs/promises';
import { tsImport } from 'tsx/esm/api';

/**
 * @typedef {object} Statement
 * @property {string} name
 * @property {string} text
 */

/**
 * @typedef {object} Statements
 * @property {Statement} findings its values: the tenant, the time, the id before which the page begins, the length
 * @property {Statement & { values: unknown[] }} summary the tenant and the time are the first of its values
 * @property {Statement} ruleCounts its values: the tenant and the scan
 */

/** @param {string} file */
export async function writeStatements(file) {
  await writeFile(file, JSON.stringify(await statements()));
}

/** @returns {Promise<Statements>} */
async function statements() {
  const load = (path) => tsImport(`../../server/modules/${path}.ts`, import.meta.url);
  const [{ pageOfTenant }, { findingsStatement }, { summaryQuery }, { COUNTS }] = await Promise.all(
    ['findings/finding-page', 'findings/queries', 'findings/summary', 'scans/rule-counts'].map(
      load,
    ),
  );
  const now = new Date();
  const page = pageOfTenant('', {}, { sort: 'newest', after: null, limit: 26, now });
  const { statement, values } = summaryQuery('', {}, null, now);
  return {
    findings: findingsStatement(page),
    summary: { ...statement, values },
    ruleCounts: COUNTS,
  };
}
