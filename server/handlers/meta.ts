import { PROBLEM_CODES, PROBLEMS, problemSlug, problemType } from '@cspm/contract';
import { DOCS_CSP, docsPage, docsScript, docsStyle } from '../operations/docs-page.ts';
import { openApiDocument } from '../operations/openapi-document.ts';
import type { HandlersOf } from '../pipeline/handler.ts';
import { notFound } from '../pipeline/problems.ts';

export const meta: HandlersOf<'meta'> = {
  async live() {
    return { status: 200, body: { status: 'ok', checks: {} } };
  },

  async ready({ services }) {
    const { checks, missing } = await services.health.check();
    if (Object.values(checks).every((state) => state === 'ok')) {
      return { status: 200, body: { status: 'ok', checks } };
    }
    const known = missing === undefined ? {} : { missing: [...missing] };
    return { status: 503, body: { status: 'unavailable', checks, ...known } };
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
