// oRPC: procedures behind an OpenAPIHandler on node:http, its rate limiter in memory, zod, Prisma.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createRatelimitMiddleware } from '@orpc/experimental-ratelimit';
import { MemoryRatelimiter } from '@orpc/experimental-ratelimit/memory';
import { OpenAPIHandler } from '@orpc/openapi/node';
import { ORPCError, os } from '@orpc/server';
import { authenticate } from './prisma/api-keys.ts';
import { scanCompliance } from './prisma/compliance.ts';
import { summariseFindings } from './prisma/finding-summary.ts';
import { listFindings } from './prisma/findings.ts';
import { createProject } from './prisma/projects.ts';
import { listScans } from './prisma/scans.ts';
import { ComplianceQuery, ComplianceReport, ScanParams } from './service/compliance-schemas.ts';
import { FindingPage, FindingQuery, FindingSummary } from './service/finding-schemas.ts';
import { ListQuery, NewProject, Project, ScanPage } from './service/schemas.ts';
import { announce, HOST, RATE_LIMIT } from './service/settings.ts';

interface Context {
  headers: IncomingHttpHeaders;
  ip: string;
}

const limiter = new MemoryRatelimiter({
  maxRequests: RATE_LIMIT.requests,
  window: RATE_LIMIT.windowMs,
});

const authenticated = os
  .$context<Context>()
  .use(createRatelimitMiddleware({ limiter, key: ({ context }) => context.ip }))
  .use(async ({ context, next }) => {
    const principal = await authenticate(context.headers['x-api-key']);
    if (principal === null) throw new ORPCError('UNAUTHORIZED');
    return next({ context: { principal } });
  });

const router = {
  scans: {
    list: authenticated
      .route({ method: 'GET', path: '/scans' })
      .input(ListQuery)
      .output(ScanPage)
      .handler(({ context, input }) => listScans(context.principal.tenantId, input)),
    compliance: authenticated
      .route({ method: 'GET', path: '/scans/{id}/compliance' })
      .input(ScanParams.extend(ComplianceQuery.shape))
      .output(ComplianceReport)
      .handler(async ({ context, input }) => {
        const report = await scanCompliance(context.principal.tenantId, input.id, input);
        if (report === null) throw new ORPCError('NOT_FOUND');
        return report;
      }),
  },
  findings: {
    list: authenticated
      .route({ method: 'GET', path: '/findings' })
      .input(FindingQuery)
      .output(FindingPage)
      .handler(({ context, input }) => listFindings(context.principal.tenantId, input)),
    summary: authenticated
      .route({ method: 'GET', path: '/findings/summary' })
      .output(FindingSummary)
      .handler(({ context }) => summariseFindings(context.principal.tenantId)),
  },
  projects: {
    create: authenticated
      .route({ method: 'POST', path: '/projects', successStatus: 201 })
      .input(NewProject)
      .output(Project)
      .handler(async ({ context, input }) => {
        const project = await createProject(context.principal, input, context.ip);
        if (project === null) throw new ORPCError('CONFLICT');
        return project;
      }),
  },
};

const handler = new OpenAPIHandler(router);

const server = createServer(async (req, res) => {
  const { matched } = await handler.handle(req, res, {
    context: { headers: req.headers, ip: req.socket.remoteAddress ?? '' },
  });
  if (matched) return;
  res.statusCode = 404;
  res.end('No procedure matched');
});

server.listen(0, HOST, () => announce(server.address()));
