// Hono on its Node server, hono-rate-limiter, @hono/zod-openapi, Prisma.
import { serve } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { createMiddleware } from 'hono/factory';
import { rateLimiter } from 'hono-rate-limiter';
import { authenticate } from './prisma/api-keys.ts';
import { scanCompliance } from './prisma/compliance.ts';
import { summariseFindings } from './prisma/finding-summary.ts';
import { listFindings } from './prisma/findings.ts';
import { createProject } from './prisma/projects.ts';
import { listScans } from './prisma/scans.ts';
import { ComplianceQuery, ComplianceReport, ScanParams } from './service/compliance-schemas.ts';
import { FindingPage, FindingQuery, FindingSummary } from './service/finding-schemas.ts';
import type { Principal } from './service/principal.ts';
import { ListQuery, NewProject, Project, ScanPage } from './service/schemas.ts';
import { announce, HOST, RATE_LIMIT } from './service/settings.ts';

interface Env {
  Variables: { principal: Principal };
}

const app = new OpenAPIHono<Env>();

app.use(
  rateLimiter<Env>({
    windowMs: RATE_LIMIT.windowMs,
    limit: RATE_LIMIT.requests,
    keyGenerator: (c) => getConnInfo(c).remote.address ?? '',
  }),
);

const requireApiKey = createMiddleware<Env>(async (c, next) => {
  const principal = await authenticate(c.req.header('X-API-Key'));
  if (principal === null) return c.json({ message: 'No valid credential was sent.' }, 401);
  c.set('principal', principal);
  await next();
});
app.use(requireApiKey);

const json = <T extends z.ZodType>(schema: T, description: string) => ({
  content: { 'application/json': { schema } },
  description,
});

app.openapi(
  createRoute({
    method: 'get',
    path: '/scans',
    request: { query: ListQuery },
    responses: { 200: json(ScanPage, 'A page of scans') },
  }),
  async (c) => c.json(await listScans(c.var.principal.tenantId, c.req.valid('query')), 200),
);

app.openapi(
  createRoute({
    method: 'get',
    path: '/scans/{id}/compliance',
    request: { params: ScanParams, query: ComplianceQuery },
    responses: {
      200: json(ComplianceReport, 'The compliance'),
      404: json(z.object({ message: z.string() }), 'There is no such scan'),
    },
  }),
  async (c) => {
    const { id } = c.req.valid('param');
    const report = await scanCompliance(c.var.principal.tenantId, id, c.req.valid('query'));
    if (report === null) return c.json({ message: 'There is no such scan.' }, 404);
    return c.json(report, 200);
  },
);

app.openapi(
  createRoute({
    method: 'get',
    path: '/findings',
    request: { query: FindingQuery },
    responses: { 200: json(FindingPage, 'A page of findings') },
  }),
  async (c) => c.json(await listFindings(c.var.principal.tenantId, c.req.valid('query')), 200),
);

app.openapi(
  createRoute({
    method: 'get',
    path: '/findings/summary',
    responses: { 200: json(FindingSummary, 'Numbers of findings') },
  }),
  async (c) => c.json(await summariseFindings(c.var.principal.tenantId), 200),
);

app.openapi(
  createRoute({
    method: 'post',
    path: '/projects',
    request: { body: { ...json(NewProject, 'The project'), required: true } },
    responses: {
      201: json(Project, 'The project'),
      409: json(z.object({ message: z.string() }), 'The name is taken'),
    },
  }),
  async (c) => {
    const ip = getConnInfo(c).remote.address ?? '';
    const project = await createProject(c.var.principal, c.req.valid('json'), ip);
    if (project === null) return c.json({ message: 'There is a project of that name.' }, 409);
    return c.json(project, 201);
  },
);

serve({ fetch: app.fetch, hostname: HOST, port: 0 }, announce);
