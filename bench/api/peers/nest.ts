// NestJS 11 on Express, @nestjs/throttler, zod by a pipe as in Nest's guide, Prisma.
import 'reflect-metadata';
import {
  BadRequestException,
  Body,
  type CanActivate,
  ConflictException,
  Controller,
  createParamDecorator,
  type ExecutionContext,
  Get,
  Inject,
  Injectable,
  Ip,
  Module,
  NotFoundException,
  Param,
  type PipeTransform,
  Post,
  Query,
  UnauthorizedException,
} from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import type { Request } from 'express';
import type { z } from 'zod';
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

type Authenticated = Request & { principal: Principal };

class ZodValidationPipe implements PipeTransform {
  constructor(private readonly schema: z.ZodType) {}

  transform(value: unknown) {
    const parsed = this.schema.safeParse(value);
    if (parsed.success) return parsed.data;
    throw new BadRequestException(parsed.error.issues);
  }
}

@Injectable()
class ApiKeyGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Authenticated>();
    const principal = await authenticate(request.headers['x-api-key']);
    if (principal === null) throw new UnauthorizedException();
    request.principal = principal;
    return true;
  }
}

const CurrentPrincipal = createParamDecorator(
  (_data: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<Authenticated>().principal,
);

@Injectable()
class ScansService {
  list(tenantId: string, query: ListQuery) {
    return listScans(tenantId, query);
  }

  async compliance(tenantId: string, id: string, query: ComplianceQuery) {
    const report = await scanCompliance(tenantId, id, query);
    if (report === null) throw new NotFoundException();
    return report;
  }
}

@Injectable()
class FindingsService {
  list(tenantId: string, query: FindingQuery) {
    return listFindings(tenantId, query);
  }

  summary(tenantId: string) {
    return summariseFindings(tenantId);
  }
}

@Injectable()
class ProjectsService {
  async create(principal: Principal, body: NewProject, ip: string) {
    const project = await createProject(principal, body, ip);
    if (project === null) throw new ConflictException();
    return project;
  }
}

@Controller('scans')
class ScansController {
  constructor(@Inject(ScansService) private readonly scans: ScansService) {}

  @Get()
  list(
    @CurrentPrincipal() principal: Principal,
    @Query(new ZodValidationPipe(ListQuery)) query: ListQuery,
  ) {
    return this.scans.list(principal.tenantId, query);
  }

  @Get(':id/compliance')
  compliance(
    @CurrentPrincipal() principal: Principal,
    @Param(new ZodValidationPipe(ScanParams)) { id }: ScanParams,
    @Query(new ZodValidationPipe(ComplianceQuery)) query: ComplianceQuery,
  ) {
    return this.scans.compliance(principal.tenantId, id, query);
  }
}

@Controller('findings')
class FindingsController {
  constructor(@Inject(FindingsService) private readonly findings: FindingsService) {}

  @Get()
  list(
    @CurrentPrincipal() principal: Principal,
    @Query(new ZodValidationPipe(FindingQuery)) query: FindingQuery,
  ) {
    return this.findings.list(principal.tenantId, query);
  }

  @Get('summary')
  summary(@CurrentPrincipal() principal: Principal) {
    return this.findings.summary(principal.tenantId);
  }
}

@Controller('projects')
class ProjectsController {
  constructor(@Inject(ProjectsService) private readonly projects: ProjectsService) {}

  @Post()
  create(
    @CurrentPrincipal() principal: Principal,
    @Body(new ZodValidationPipe(NewProject)) body: NewProject,
    @Ip() ip: string,
  ) {
    return this.projects.create(principal, body, ip);
  }
}

@Module({
  imports: [ThrottlerModule.forRoot([{ ttl: RATE_LIMIT.windowMs, limit: RATE_LIMIT.requests }])],
  controllers: [ScansController, FindingsController, ProjectsController],
  providers: [
    ScansService,
    FindingsService,
    ProjectsService,
    { provide: APP_GUARD, useClass: ThrottlerGuard },
    { provide: APP_GUARD, useClass: ApiKeyGuard },
  ],
})
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: false });
await app.listen(0, HOST);
announce(app.getHttpServer().address());
