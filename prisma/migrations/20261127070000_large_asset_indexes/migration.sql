-- As before, but deletes at most 10,000 rows of each inventory. The millions of a large one took longer than the time limit of the
-- transaction, so that it could not be deleted. The server deletes the others in short transactions, at the latest in the nightly
-- task; nothing reads them. Without statistics of new rows, Postgres would read all of them: with these settings it uses the index.
CREATE OR REPLACE FUNCTION public.delete_asset_index() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_sort = off SET enable_seqscan = off
AS $$
DECLARE
  next record;
BEGIN
  SELECT a.name, a.type INTO next FROM public.inventory_assets a
  WHERE a.tenant_id = OLD.tenant_id AND a.inventory_id = OLD.id ORDER BY a.name, a.type OFFSET 10000 LIMIT 1;
  IF FOUND THEN
    DELETE FROM public.inventory_assets a
    WHERE a.tenant_id = OLD.tenant_id AND a.inventory_id = OLD.id AND (a.name, a.type) < (next.name, next.type);
  ELSE
    DELETE FROM public.inventory_assets a WHERE a.tenant_id = OLD.tenant_id AND a.inventory_id = OLD.id;
  END IF;
  RETURN NULL;
END
$$;
