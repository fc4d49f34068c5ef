import rateLimit from '@fastify/rate-limit';
import Fastify from 'fastify';
import {
  serializerCompiler,
  validatorCompiler,
  type ZodTypeProvider,
} from 'fastify-type-provider-zod';
import { z } from 'zod';
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
}

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal;
  }
}

const Refusal = z.object({ message: z.string() });

/** The two routes in Fastify, shared by two peers with different database layers. */
export async function serveFastify({ authenticate, listScans, createProject }: Service) {
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
    handler: (request) => listScans(request.principal.tenantId, request.query),
  });

  app.route({
    method: 'POST',
    url: '/projects',
    schema: { body: NewProject, response: { 201: Project, 409: Refusal } },
    handler: async (request, reply) => {
      const project = await createProject(request.principal, request.body, request.ip);
      if (project === null) {
        return reply.code(409).send({ message: 'There is a project of that name.' });
      }
      return reply.code(201).send(project);
    },
  });

  await app.listen({ port: 0, host: HOST });
  announce(app.server.address());
}
