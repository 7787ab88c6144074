import { entryKey } from "./blockRows.ts"

/** The number of rows per statement. No other statement waits for it long. */
export const DROPPED = 2_000

/** The most changes that are read for one block. */
const MOST_CHANGES = 20_000

/** How long a search may still read the blocks that it began with. */
const STILL_READ = "1 minute"

export const BLOCKS_SQL = `SELECT 'block' AS what, search_blocks.build AS id, size AS n,
    upto_at AS at, upto_id AS upto, postings AS words
  FROM payport.search_blocks LEFT JOIN payport.search_postings
    ON search_postings.build = search_blocks.build AND entry = '${entryKey("column", "words")}'
  WHERE standing = 'current'`

/**
 * Reads one change of each manifest and deletes its other ones. Only while nobody builds: a builder
 * deletes the changes that it has read, and a later one of the same manifest has to outlive it.
 */
export const CHANGES_SQL = `WITH numbered AS MATERIALIZED (
    SELECT change, service_id, created_at,
      row_number() OVER (PARTITION BY created_at, service_id) AS n
    FROM (SELECT change, service_id, created_at FROM payport.search_changes
      LIMIT ${MOST_CHANGES}) AS changes),
  repeated AS (DELETE FROM payport.search_changes
    WHERE change IN (SELECT change FROM numbered WHERE n > 1))
  SELECT change, service_id AS id, created_at AS at FROM numbered WHERE n = 1`

export const FRESH_SQL = `SELECT count(*)::int AS n FROM (SELECT FROM payport.services
  WHERE status IN ('active', 'deprecated') AND (created_at, id) > ($1::timestamptz, $2::uuid)
  LIMIT $3::int) AS fresh`

export const DROP_SQL = `WITH gone AS (DELETE FROM payport.search_postings WHERE (build, entry) IN (
    SELECT build, entry FROM payport.search_postings WHERE build = $1::uuid LIMIT ${DROPPED})
    RETURNING 1)
  SELECT count(*)::int AS n FROM gone`

/**
 * Postings whose build has no row: what a process that was given up wrote after it was cleaned.
 * The builds are found one after the other along the key, since there are few among many postings.
 */
export const STRAY_SQL = `WITH RECURSIVE builds AS (
    (SELECT build FROM payport.search_postings ORDER BY build LIMIT 1)
    UNION ALL SELECT (SELECT next.build FROM payport.search_postings AS next
        WHERE next.build > builds.build ORDER BY next.build LIMIT 1)
      FROM builds WHERE builds.build IS NOT NULL)
  SELECT build FROM builds WHERE build IS NOT NULL AND NOT EXISTS (
    SELECT FROM payport.search_blocks WHERE search_blocks.build = builds.build)`

export const RETIRED_SQL = `SELECT build FROM payport.search_blocks
  WHERE standing = 'retired' AND since < now() - interval '${STILL_READ}'`

/** Retires builds that will not become current. */
export const GIVE_UP_SQL = `UPDATE payport.search_blocks SET standing = 'retired', since = now()
  WHERE standing = 'building' AND build = ANY ($1::uuid[])`

/** A build of a larger unit is dropped with it if that is not finished. */
export const RESERVE_SQL = `INSERT INTO payport.search_blocks
    (build, standing, since, size, upto_at, upto_id)
  VALUES ($1::uuid, 'building', now(), 0, $2::timestamptz, $3::uuid)`
