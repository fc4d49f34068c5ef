-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "identity";

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "jobs";

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "projects" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "inventory_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "projects_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "inventories" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "status" TEXT NOT NULL,
    "assets" INTEGER NOT NULL,
    "asset_types" JSONB NOT NULL,
    "bytes" BIGINT NOT NULL,
    "warnings" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "inventories_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "inventory_chunks" (
    "tenant_id" UUID NOT NULL,
    "inventory_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "assets" INTEGER NOT NULL,
    "data" BYTEA NOT NULL,

    CONSTRAINT "inventory_chunks_pkey" PRIMARY KEY ("tenant_id","inventory_id","seq")
);

-- CreateTable
CREATE TABLE "scans" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "status" TEXT NOT NULL,
    "profile" TEXT NOT NULL,
    "profile_digest" TEXT NOT NULL,
    "created_by_kind" TEXT NOT NULL,
    "created_by_id" UUID NOT NULL,
    "created_by_label" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "scans_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "scan_projects" (
    "tenant_id" UUID NOT NULL,
    "scan_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "inventory_id" UUID,
    "status" TEXT NOT NULL,
    "chunks_done" INTEGER NOT NULL DEFAULT 0,
    "assets" INTEGER NOT NULL DEFAULT 0,
    "evaluations" INTEGER NOT NULL DEFAULT 0,
    "pass" INTEGER NOT NULL DEFAULT 0,
    "fail" INTEGER NOT NULL DEFAULT 0,
    "unknown" INTEGER NOT NULL DEFAULT 0,
    "critical" INTEGER NOT NULL DEFAULT 0,
    "high" INTEGER NOT NULL DEFAULT 0,
    "medium" INTEGER NOT NULL DEFAULT 0,
    "low" INTEGER NOT NULL DEFAULT 0,
    "info" INTEGER NOT NULL DEFAULT 0,
    "delta_new" INTEGER NOT NULL DEFAULT 0,
    "delta_unchanged" INTEGER NOT NULL DEFAULT 0,
    "delta_reopened" INTEGER NOT NULL DEFAULT 0,
    "delta_resolved" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT,

    CONSTRAINT "scan_projects_pkey" PRIMARY KEY ("tenant_id","scan_id","project_id")
);

-- CreateTable
CREATE TABLE "scan_rule_counts" (
    "tenant_id" UUID NOT NULL,
    "scan_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "rule_id" TEXT NOT NULL,
    "pass" INTEGER NOT NULL,
    "fail" INTEGER NOT NULL,
    "na" INTEGER NOT NULL,
    "unknown" INTEGER NOT NULL,

    CONSTRAINT "scan_rule_counts_pkey" PRIMARY KEY ("tenant_id","scan_id","project_id","rule_id")
);

-- CreateTable
CREATE TABLE "findings" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "rule_id" TEXT NOT NULL,
    "severity" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "asset_name" TEXT NOT NULL,
    "asset_type" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "evidence" JSONB NOT NULL,
    "status" TEXT NOT NULL,
    "delta" TEXT NOT NULL,
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "resolved_at" TIMESTAMPTZ(3),
    "resolved_reason" TEXT,
    "last_scan_id" UUID NOT NULL,
    "observed_scan_id" UUID,
    "observed_decided" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "findings_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "scan_findings" (
    "tenant_id" UUID NOT NULL,
    "scan_id" UUID NOT NULL,
    "finding_id" UUID NOT NULL,
    "delta" TEXT NOT NULL,
    "scan_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "scan_findings_pkey" PRIMARY KEY ("tenant_id","scan_id","finding_id","scan_at")
) PARTITION BY RANGE ("scan_at");

-- CreateTable
CREATE TABLE "audit_events" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "action" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "actor_kind" TEXT NOT NULL,
    "actor_id" UUID,
    "actor_label" TEXT,
    "target_tenant_id" UUID,
    "ip" TEXT NOT NULL,
    "correlation_id" TEXT NOT NULL,
    "subject" TEXT,
    "detail" JSONB NOT NULL,

    CONSTRAINT "audit_events_pkey" PRIMARY KEY ("tenant_id","id","at")
) PARTITION BY RANGE ("at");

-- CreateTable
CREATE TABLE "idempotency_records" (
    "tenant_id" UUID NOT NULL,
    "principal" TEXT NOT NULL,
    "route" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "payload_hash" BYTEA NOT NULL,
    "status" INTEGER NOT NULL,
    "response" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_records_pkey" PRIMARY KEY ("tenant_id","principal","route","key")
);

-- CreateTable
CREATE TABLE "identity"."tenants" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "features" TEXT[] NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tenants_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "identity"."users" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT,
    "password_hash" TEXT,
    "email_verified_at" TIMESTAMPTZ(3),
    "disabled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "identity"."memberships" (
    "tenant_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "role" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "entered_at" TIMESTAMPTZ(3),

    CONSTRAINT "memberships_pkey" PRIMARY KEY ("tenant_id","user_id")
);

-- CreateTable
CREATE TABLE "identity"."roles" (
    "tenant_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "permissions" TEXT[] NOT NULL,

    CONSTRAINT "roles_pkey" PRIMARY KEY ("tenant_id","name")
);

-- CreateTable
CREATE TABLE "identity"."sessions" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "amr" TEXT[] NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "identity"."refresh_tokens" (
    "hash" BYTEA NOT NULL,
    "session_id" UUID NOT NULL,
    "issued_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "spent_at" TIMESTAMPTZ(3),

    CONSTRAINT "refresh_tokens_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "identity"."api_keys" (
    "id" UUID NOT NULL,
    "public_id" TEXT NOT NULL,
    "tenant_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "jobs"."heartbeats" (
    "worker_id" TEXT NOT NULL,
    "beat_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "heartbeats_pkey" PRIMARY KEY ("worker_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "projects_tenant_id_name_key" ON "projects"("tenant_id", "name");

-- CreateIndex
CREATE INDEX "inventories_tenant_id_project_id_created_at_idx" ON "inventories"("tenant_id", "project_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "scans_tenant_id_status_id_idx" ON "scans"("tenant_id", "status", "id" DESC);

-- CreateIndex
CREATE INDEX "scan_projects_tenant_id_project_id_status_idx" ON "scan_projects"("tenant_id", "project_id", "status");

-- CreateIndex
CREATE INDEX "scan_projects_tenant_id_name_scan_id_idx" ON "scan_projects"("tenant_id", "name", "scan_id");

-- CreateIndex
CREATE INDEX "findings_tenant_id_project_id_status_asset_name_idx" ON "findings"("tenant_id", "project_id", "status", "asset_name");

-- CreateIndex
CREATE INDEX "findings_tenant_id_rule_id_id_idx" ON "findings"("tenant_id", "rule_id", "id" DESC);

-- CreateIndex
CREATE INDEX "findings_tenant_id_severity_id_idx" ON "findings"("tenant_id", "severity", "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "findings_tenant_id_fingerprint_key" ON "findings"("tenant_id", "fingerprint");

-- CreateIndex
CREATE INDEX "idempotency_records_tenant_id_expires_at_idx" ON "idempotency_records"("tenant_id", "expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "identity"."users"("email");

-- CreateIndex
CREATE INDEX "memberships_user_id_idx" ON "identity"."memberships"("user_id");

-- CreateIndex
CREATE INDEX "sessions_tenant_id_user_id_idx" ON "identity"."sessions"("tenant_id", "user_id");

-- CreateIndex
CREATE INDEX "refresh_tokens_session_id_issued_at_idx" ON "identity"."refresh_tokens"("session_id", "issued_at");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_public_id_key" ON "identity"."api_keys"("public_id");

-- CreateIndex
CREATE INDEX "api_keys_tenant_id_user_id_idx" ON "identity"."api_keys"("tenant_id", "user_id");

-- AddForeignKey
ALTER TABLE "inventories" ADD CONSTRAINT "inventories_tenant_id_project_id_fkey" FOREIGN KEY ("tenant_id", "project_id") REFERENCES "projects"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "inventory_chunks" ADD CONSTRAINT "inventory_chunks_tenant_id_inventory_id_fkey" FOREIGN KEY ("tenant_id", "inventory_id") REFERENCES "inventories"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "scan_projects" ADD CONSTRAINT "scan_projects_tenant_id_scan_id_fkey" FOREIGN KEY ("tenant_id", "scan_id") REFERENCES "scans"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "scan_rule_counts" ADD CONSTRAINT "scan_rule_counts_tenant_id_scan_id_project_id_fkey" FOREIGN KEY ("tenant_id", "scan_id", "project_id") REFERENCES "scan_projects"("tenant_id", "scan_id", "project_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "findings" ADD CONSTRAINT "findings_tenant_id_project_id_fkey" FOREIGN KEY ("tenant_id", "project_id") REFERENCES "projects"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "identity"."memberships" ADD CONSTRAINT "memberships_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "identity"."tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "identity"."memberships" ADD CONSTRAINT "memberships_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "identity"."users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "identity"."roles" ADD CONSTRAINT "roles_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "identity"."tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "identity"."sessions" ADD CONSTRAINT "sessions_tenant_id_user_id_fkey" FOREIGN KEY ("tenant_id", "user_id") REFERENCES "identity"."memberships"("tenant_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "identity"."refresh_tokens" ADD CONSTRAINT "refresh_tokens_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "identity"."sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "identity"."api_keys" ADD CONSTRAINT "api_keys_tenant_id_user_id_fkey" FOREIGN KEY ("tenant_id", "user_id") REFERENCES "identity"."memberships"("tenant_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Chunks are compressed before they come here: Postgres need not try.
ALTER TABLE "inventory_chunks" ALTER COLUMN "data" SET STORAGE EXTERNAL;
