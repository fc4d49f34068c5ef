-- Keeps an event for the database of the connection's tenant. False: the tenant is at home, and nothing is kept. Behind the
-- fence of a move it is kept too: its rows would be refused here, and with them the operation on identities.
CREATE OR REPLACE FUNCTION cells.forward_event(event jsonb) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF cells.enter(true) = 'active' THEN RETURN false; END IF;
  IF octet_length(event::text) > 262144 THEN
    RAISE EXCEPTION 'the event is too large' USING ERRCODE = 'program_limit_exceeded';
  END IF;
  INSERT INTO cells.outbox (tenant_id, kind, detail) VALUES (public.current_tenant(), 'event', event);
  RETURN true;
END
$$;
