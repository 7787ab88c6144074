/** Records that a manifest has changed since its block was made. */
const CHANGED = `CREATE FUNCTION payport.payport_service_changed() RETURNS trigger
  LANGUAGE plpgsql AS $payport$
  BEGIN
    IF OLD.status IN ('active', 'deprecated') OR NEW.status IN ('active', 'deprecated') THEN
      IF NEW.id IS NOT NULL THEN
        INSERT INTO payport.search_changes (service_id, created_at) VALUES (NEW.id, NEW.created_at);
      END IF;
      IF OLD.created_at IS DISTINCT FROM NEW.created_at AND OLD.id IS NOT NULL THEN
        INSERT INTO payport.search_changes (service_id, created_at) VALUES (OLD.id, OLD.created_at);
      END IF;
    END IF;
    RETURN NULL;
  END $payport$`

/** The search index: adapters/postgres/search/README.md. */
export const SEARCH: ReadonlyArray<string> = [
  `CREATE TABLE payport.search_blocks (
    build uuid PRIMARY KEY,
    standing text NOT NULL CHECK (standing IN ('building', 'current', 'retired')),
    since timestamptz(3) NOT NULL,
    size integer NOT NULL CHECK (size BETWEEN 0 AND 65536),
    upto_at timestamptz(3) NOT NULL,
    upto_id uuid NOT NULL
  )`,
  `CREATE UNIQUE INDEX search_blocks_order ON payport.search_blocks (upto_at, upto_id)
    WHERE standing = 'current'`,
  `CREATE TABLE payport.search_postings (
    build uuid NOT NULL,
    entry text COLLATE "C" NOT NULL,
    postings bytea NOT NULL,
    PRIMARY KEY (build, entry)
  )`,
  // Bits do not compress, and only some of a block's members are read, from the middle.
  "ALTER TABLE payport.search_postings ALTER COLUMN postings SET STORAGE EXTERNAL",
  // Rows are only added, so that no commit waits for another or for a reader of the changes.
  `CREATE TABLE payport.search_changes (
    change uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    service_id uuid NOT NULL,
    created_at timestamptz(3) NOT NULL
  )`,
  `CREATE INDEX search_changes_age ON payport.search_changes (created_at, service_id)`,
  CHANGED,
  `CREATE TRIGGER services_come_or_go AFTER INSERT OR DELETE ON payport.services
    FOR EACH ROW EXECUTE FUNCTION payport.payport_service_changed()`,
  `CREATE TRIGGER services_changed AFTER UPDATE ON payport.services FOR EACH ROW
    WHEN (OLD.version IS DISTINCT FROM NEW.version)
    EXECUTE FUNCTION payport.payport_service_changed()`,
]
