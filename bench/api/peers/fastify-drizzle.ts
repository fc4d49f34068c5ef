// Fastify 5 as in fastify.ts, with Drizzle on node-postgres behind it.
import { authenticate } from './drizzle/api-keys.ts';
import { createProject } from './drizzle/projects.ts';
import { listScans } from './drizzle/scans.ts';
import { serveFastify } from './serve-fastify.ts';

await serveFastify({ authenticate, listScans, createProject });
