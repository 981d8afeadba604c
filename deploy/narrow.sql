-- psql --dbname NAME --file deploy/narrow.sql, once, as PostgreSQL's operator: advisory locks and large objects are for
-- the owner of this database alone. PostgreSQL offers them to every role; workers with narrow rights need neither.
DO $$
DECLARE
    shut regprocedure;
    owner regrole := (SELECT datdba FROM pg_database WHERE datname = current_database());
BEGIN
    FOR shut IN SELECT oid FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace
        AND proname ~ '^(pg_(try_)?advisory|lo_(creat|from|import|put|open)|lowrite)'
    LOOP
        EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', shut);
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %s', shut, owner);
    END LOOP;
END $$;
