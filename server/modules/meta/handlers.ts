import { PROBLEM_CODES, PROBLEMS, problemSlug, problemType } from '@cspm/contract';
import type { HandlersOf } from '../../platform/handler.ts';
import type { Health } from '../../platform/health.ts';
import { notFound, ProblemError } from '../../platform/problem.ts';
import { DOCS_CSP, docsPage, docsScript, docsStyle } from './docs-page.ts';
import { openApiDocument } from './openapi-document.ts';

interface MetaServices {
  readonly health: Health;
}

export const meta: HandlersOf<'meta', MetaServices> = {
  async live() {
    return { status: 200, body: { status: 'ok', checks: {} } };
  },

  async ready({ services }) {
    const { checks, missing } = await services.health.check();
    const failing = Object.entries(checks).filter(([, state]) => state === 'failing');
    if (failing.length === 0) return { status: 200, body: { status: 'ok', checks } };
    const names = failing.map(([name]) => name).join(', ');
    const members = missing === undefined ? {} : { missing: [...missing] };
    throw new ProblemError('SERVICE_UNAVAILABLE', `Not ready; failing checks: ${names}.`, {
      members: { health: checks, ...members },
    });
  },

  async openapi() {
    return { status: 200, body: await openApiDocument() };
  },

  async docs() {
    return {
      status: 200,
      body: await docsPage(),
      headers: { 'Content-Security-Policy': DOCS_CSP },
    };
  },

  async docsScript() {
    return { status: 200, body: await docsScript() };
  },

  async docsStyle() {
    return { status: 200, body: await docsStyle() };
  },

  async problem({ input: { params } }) {
    const code = PROBLEM_CODES.find((known) => problemSlug(known) === params.code);
    if (code === undefined) throw notFound();
    return { status: 200, body: { code, type: problemType(code), ...PROBLEMS[code] } };
  },
};
