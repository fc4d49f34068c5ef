// Fastify 5, @fastify/rate-limit, zod by fastify-type-provider-zod, Prisma.
import { authenticate } from './prisma/api-keys.ts';
import { createProject } from './prisma/projects.ts';
import { listScans } from './prisma/scans.ts';
import { serveFastify } from './serve-fastify.ts';

await serveFastify({ authenticate, listScans, createProject });
