// Fastify 5 as in fastify.ts, with Drizzle on node-postgres behind it.
import { authenticate } from './drizzle/api-keys.ts';
import { scanCompliance } from './drizzle/compliance.ts';
import { summariseFindings } from './drizzle/finding-summary.ts';
import { listFindings } from './drizzle/findings.ts';
import { createProject } from './drizzle/projects.ts';
import { listScans } from './drizzle/scans.ts';
import { serveFastify } from './serve-fastify.ts';

await serveFastify({
  authenticate,
  listScans,
  createProject,
  listFindings,
  summariseFindings,
  scanCompliance,
});
