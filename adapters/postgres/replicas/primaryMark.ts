import { Effect } from "effect"
import type { StoreUnavailable } from "../../../core/ports/Store.ts"
import { ask, type Database, run } from "../database.ts"
import { type Mark, parsePosition } from "./Marks.ts"

/** Reads the row that identifies the primary's history, as text; null before it is written. */
export const HISTORY_SQL = `(SELECT body::text FROM payport.documents
  WHERE scope = 'replicas' AND id = 'history')`

/**
 * After how many seconds the primary's row is renewed. A server that no longer follows the primary
 * never shows the new row.
 */
const RENEWED_AFTER = 5

const MARK_SQL = `SELECT history, position, line, version, history IS NULL
    OR history::json->>'line' <> line
    OR (history::json->>'at')::float8 < extract(epoch FROM clock_timestamp()) - ${RENEWED_AFTER}
    AS is_old
  FROM (SELECT ${HISTORY_SQL} AS history,
    (SELECT version FROM payport.documents WHERE scope = 'replicas' AND id = 'history'),
    pg_current_wal_insert_lsn()::text AS position,
    (SELECT system_identifier::text FROM pg_control_system()) || ' ' ||
      left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) AS line) AS found`

const RENEW_SQL = `INSERT INTO payport.documents (scope, id, version, body)
  VALUES ('replicas', 'history', 1, json_build_object('line', $1::text,
    'at', extract(epoch FROM clock_timestamp())::float8, 'mark', gen_random_uuid()))
  ON CONFLICT (scope, id) DO UPDATE SET version = documents.version + 1, body = excluded.body
  WHERE documents.version = $2::int`

/**
 * Returns the primary's position and when it was asked; undefined before its row is written.
 * Positions of two servers can be compared only along one history, and after a failover a server
 * may have continued on its own. So the primary stores a row with a random id and renews it every
 * few seconds.
 */
export const primaryMark = ({
  leases,
  reads,
}: Database): Effect.Effect<Mark | undefined, StoreUnavailable> =>
  Effect.gen(function* () {
    const at = performance.now()
    const [row] = yield* ask(reads, MARK_SQL, [])
    if (row?.["is_old"] === true) yield* run(leases, RENEW_SQL, [row["line"], row["version"] ?? 0])
    const { history, position } = row ?? {}
    if (typeof history !== "string" || typeof position !== "string") return undefined
    return { at, history, line: String(row?.["line"]), position: parsePosition(position) }
  })
