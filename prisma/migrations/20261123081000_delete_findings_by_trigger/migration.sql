-- Findings are deleted with their project by a trigger: a foreign key looks the project up once for each finding, which is a tenth of
-- the cost of a new one. A transaction that writes findings also writes verdicts, whose foreign key locks the project.

-- DropForeignKey
-- Before the trigger, because it locks both tables one directly after the other. If the lock of the trigger came first, a request
-- that deletes a project would wait for it while it keeps the migration from the second: a deadlock.
-- contract: v0.1.0: it relies on the deletion, which the trigger does, and writes verdicts in the same transactions.
ALTER TABLE "findings" DROP CONSTRAINT "findings_tenant_id_project_id_fkey";

CREATE FUNCTION public.delete_findings() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  DELETE FROM public.findings f WHERE f.tenant_id = OLD.tenant_id AND f.project_id = OLD.id;
  RETURN NULL;
END
$$;

CREATE TRIGGER delete_findings AFTER DELETE ON public.projects
  FOR EACH ROW EXECUTE FUNCTION public.delete_findings();
