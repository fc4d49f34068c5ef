// Fastify 5, @fastify/rate-limit, zod by fastify-type-provider-zod, Prisma.
import { authenticate } from './prisma/api-keys.ts';
import { scanCompliance } from './prisma/compliance.ts';
import { summariseFindings } from './prisma/finding-summary.ts';
import { listFindings } from './prisma/findings.ts';
import { createProject } from './prisma/projects.ts';
import { listScans } from './prisma/scans.ts';
import { serveFastify } from './serve-fastify.ts';

await serveFastify({
  authenticate,
  listScans,
  createProject,
  listFindings,
  summariseFindings,
  scanCompliance,
});
