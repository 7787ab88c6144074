import { Effect } from "effect"
import { databaseError, troubleOf } from "./failures.ts"
import type { Connection } from "./sessions/connectWith.ts"

/**
 * A sort of 16 MB, as much as a segment of the server's log, in so little memory that it goes to
 * files, which are new space each time. A row that is written and taken back could find old space.
 */
const SORT = `SELECT count(*) FROM (
  SELECT FROM generate_series(1, 16384) AS n
    ORDER BY repeat(md5(n::text), 32) COLLATE "C") AS sorted`

/**
 * Whether the disk of the database has room for 16 MB. Stores nothing. A server that answers with
 * another error, such as one of `temp_file_limit`, counts as one with room: it does not say.
 */
export const hasRoom = ({ query }: Pick<Connection, "query">): Effect.Effect<boolean> =>
  Effect.acquireUseRelease(
    query("BEGIN READ ONLY", [], false),
    () => Effect.andThen(query("SET LOCAL work_mem = '64kB'", [], false), query(SORT, [], false)),
    () => Effect.ignore(query("ROLLBACK", [], false)),
  ).pipe(
    Effect.as(true),
    Effect.catch((error) => Effect.succeed(troubleOf(databaseError(error)) !== "full")),
  )
