-- AlterTable
ALTER TABLE "identity"."memberships" ADD COLUMN     "status" TEXT NOT NULL DEFAULT 'active';

-- AlterTable
ALTER TABLE "identity"."tenants" ADD COLUMN     "settings" JSONB NOT NULL DEFAULT '{}';

-- AlterTable
ALTER TABLE "identity"."users" ADD COLUMN     "google_sub" TEXT,
ADD COLUMN     "totp_enabled_at" TIMESTAMPTZ(3),
ADD COLUMN     "totp_last_step" BIGINT,
ADD COLUMN     "totp_secret" BYTEA;

-- CreateTable
CREATE TABLE "identity"."mail_tokens" (
    "hash" BYTEA NOT NULL,
    "purpose" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "tenant_id" UUID,
    "email" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "spent_at" TIMESTAMPTZ(3),

    CONSTRAINT "mail_tokens_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "identity"."recovery_codes" (
    "user_id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "spent_at" TIMESTAMPTZ(3),

    CONSTRAINT "recovery_codes_pkey" PRIMARY KEY ("user_id","hash")
);

-- CreateTable
CREATE TABLE "identity"."throttles" (
    "key" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "throttles_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "identity"."saml_connections" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "entity_id" TEXT NOT NULL,
    "sso_url" TEXT NOT NULL,
    "certificates" TEXT[] NOT NULL,
    "email_domains" TEXT[] NOT NULL,
    "default_role" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "saml_connections_pkey" PRIMARY KEY ("tenant_id")
);

-- CreateTable
CREATE TABLE "identity"."saml_identities" (
    "connection_id" UUID NOT NULL,
    "name_id" TEXT NOT NULL,
    "user_id" UUID NOT NULL,

    CONSTRAINT "saml_identities_pkey" PRIMARY KEY ("connection_id","name_id")
);

-- CreateTable
CREATE TABLE "identity"."one_time_values" (
    "kind" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "detail" JSONB NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "one_time_values_pkey" PRIMARY KEY ("kind","value")
);

-- CreateTable
CREATE TABLE "identity"."break_glass_windows" (
    "key_hash" BYTEA NOT NULL,
    "opened_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "break_glass_windows_pkey" PRIMARY KEY ("key_hash")
);

-- CreateIndex
CREATE INDEX "mail_tokens_user_id_purpose_idx" ON "identity"."mail_tokens"("user_id", "purpose");

-- CreateIndex
CREATE INDEX "throttles_ends_at_idx" ON "identity"."throttles"("ends_at");

-- CreateIndex
CREATE UNIQUE INDEX "saml_connections_id_key" ON "identity"."saml_connections"("id");

-- CreateIndex
CREATE INDEX "saml_identities_user_id_idx" ON "identity"."saml_identities"("user_id");

-- CreateIndex
CREATE INDEX "one_time_values_expires_at_idx" ON "identity"."one_time_values"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "users_google_sub_key" ON "identity"."users"("google_sub");

-- AddForeignKey
ALTER TABLE "identity"."mail_tokens" ADD CONSTRAINT "mail_tokens_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "identity"."users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "identity"."recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "identity"."users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "identity"."saml_connections" ADD CONSTRAINT "saml_connections_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "identity"."tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "identity"."saml_identities" ADD CONSTRAINT "saml_identities_connection_id_fkey" FOREIGN KEY ("connection_id") REFERENCES "identity"."saml_connections"("id") ON DELETE CASCADE ON UPDATE CASCADE;
