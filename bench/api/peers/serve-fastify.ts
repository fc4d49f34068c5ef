import rateLimit from '@fastify/rate-limit';
import Fastify from 'fastify';
import {
  serializerCompiler,
  validatorCompiler,
  type ZodTypeProvider,
} from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  ComplianceQuery,
  ComplianceReport,
  type ComplianceReport as ComplianceView,
  ScanParams,
} from './service/compliance-schemas.ts';
import {
  FindingPage,
  type FindingPage as FindingPageView,
  FindingQuery,
  FindingSummary,
  type FindingSummary as FindingSummaryView,
} from './service/finding-schemas.ts';
import type { Principal } from './service/principal.ts';
import {
  ListQuery,
  NewProject,
  Project,
  type Project as ProjectView,
  ScanPage,
  type ScanPage as ScanPageView,
} from './service/schemas.ts';
import { announce, HOST, RATE_LIMIT } from './service/settings.ts';

/** The database operations that the routes need. */
interface Service {
  authenticate(key: unknown): Promise<Principal | null>;
  listScans(tenantId: string, query: ListQuery): Promise<ScanPageView>;
  createProject(principal: Principal, body: NewProject, ip: string): Promise<ProjectView | null>;
  listFindings(tenantId: string, query: FindingQuery): Promise<FindingPageView>;
  summariseFindings(tenantId: string): Promise<FindingSummaryView>;
  scanCompliance(
    tenantId: string,
    id: string,
    query: ComplianceQuery,
  ): Promise<ComplianceView | null>;
}

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal;
  }
}

const Refusal = z.object({ message: z.string() });

/** The routes in Fastify, shared by two peers with different database layers. */
export async function serveFastify({ authenticate, ...service }: Service) {
  const app = Fastify().withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  await app.register(rateLimit, { max: RATE_LIMIT.requests, timeWindow: RATE_LIMIT.windowMs });

  app.decorateRequest('principal');
  app.addHook('onRequest', async (request, reply) => {
    const principal = await authenticate(request.headers['x-api-key']);
    if (principal === null) {
      return reply.code(401).send({ message: 'No valid credential was sent.' });
    }
    request.principal = principal;
  });

  app.route({
    method: 'GET',
    url: '/scans',
    schema: { querystring: ListQuery, response: { 200: ScanPage } },
    handler: (request) => service.listScans(request.principal.tenantId, request.query),
  });

  app.route({
    method: 'GET',
    url: '/scans/:id/compliance',
    schema: {
      params: ScanParams,
      querystring: ComplianceQuery,
      response: { 200: ComplianceReport, 404: Refusal },
    },
    handler: async (request, reply) => {
      const { principal, params, query } = request;
      const report = await service.scanCompliance(principal.tenantId, params.id, query);
      if (report === null) return reply.code(404).send({ message: 'There is no such scan.' });
      return reply.send(report);
    },
  });

  app.route({
    method: 'GET',
    url: '/findings',
    schema: { querystring: FindingQuery, response: { 200: FindingPage } },
    handler: (request) => service.listFindings(request.principal.tenantId, request.query),
  });

  app.route({
    method: 'GET',
    url: '/findings/summary',
    schema: { response: { 200: FindingSummary } },
    handler: (request) => service.summariseFindings(request.principal.tenantId),
  });

  app.route({
    method: 'POST',
    url: '/projects',
    schema: { body: NewProject, response: { 201: Project, 409: Refusal } },
    handler: async (request, reply) => {
      const project = await service.createProject(request.principal, request.body, request.ip);
      if (project === null) {
        return reply.code(409).send({ message: 'There is a project of that name.' });
      }
      return reply.code(201).send(project);
    },
  });

  await app.listen({ port: 0, host: HOST });
  announce(app.server.address());
}
