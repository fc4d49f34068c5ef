// Express 5, express-rate-limit, zod, Prisma.
import express, { type RequestHandler } from 'express';
import { rateLimit } from 'express-rate-limit';
import { ZodError } from 'zod';
import { authenticate } from './prisma/api-keys.ts';
import { scanCompliance } from './prisma/compliance.ts';
import { summariseFindings } from './prisma/finding-summary.ts';
import { listFindings } from './prisma/findings.ts';
import { createProject } from './prisma/projects.ts';
import { listScans } from './prisma/scans.ts';
import { ComplianceQuery, ScanParams } from './service/compliance-schemas.ts';
import { FindingQuery } from './service/finding-schemas.ts';
import type { Principal } from './service/principal.ts';
import { ListQuery, NewProject } from './service/schemas.ts';
import { announce, HOST, RATE_LIMIT } from './service/settings.ts';

const app = express();

app.use(
  rateLimit({
    windowMs: RATE_LIMIT.windowMs,
    limit: RATE_LIMIT.requests,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
  }),
);
app.use(express.json());

const requireApiKey: RequestHandler = async (req, res, next) => {
  const principal = await authenticate(req.get('X-API-Key'));
  if (principal === null) {
    res.status(401).json({ message: 'No valid credential was sent.' });
    return;
  }
  res.locals['principal'] = principal;
  next();
};
app.use(requireApiKey);

app.get('/scans', async (req, res) => {
  const principal: Principal = res.locals['principal'];
  res.json(await listScans(principal.tenantId, ListQuery.parse(req.query)));
});

app.get('/scans/:id/compliance', async (req, res) => {
  const principal: Principal = res.locals['principal'];
  const { id } = ScanParams.parse(req.params);
  const query = ComplianceQuery.parse(req.query);
  const report = await scanCompliance(principal.tenantId, id, query);
  if (report === null) res.status(404).json({ message: 'There is no such scan.' });
  else res.json(report);
});

app.get('/findings', async (req, res) => {
  const principal: Principal = res.locals['principal'];
  res.json(await listFindings(principal.tenantId, FindingQuery.parse(req.query)));
});

app.get('/findings/summary', async (_req, res) => {
  const principal: Principal = res.locals['principal'];
  res.json(await summariseFindings(principal.tenantId));
});

app.post('/projects', async (req, res) => {
  const principal: Principal = res.locals['principal'];
  const project = await createProject(principal, NewProject.parse(req.body), req.ip ?? '');
  if (project === null) res.status(409).json({ message: 'There is a project of that name.' });
  else res.status(201).json(project);
});

const onError: express.ErrorRequestHandler = (error, _req, res, next) => {
  if (error instanceof ZodError) res.status(400).json({ issues: error.issues });
  else next(error);
};
app.use(onError);

const server = app.listen(0, HOST, () => announce(server.address()));
