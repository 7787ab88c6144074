import { Effect, Schema } from "effect"
import type { ReferenceClock } from "../../../core/ports/ReferenceClock.ts"
import { ask, type Database } from "../database.ts"

/** The server's clock when the statement runs, in milliseconds. */
export const NOW_SQL = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now"

const decode = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ now: Schema.Finite })]))

/** The database's clock, read when asked for and not at the begin of a transaction. */
export const referenceClock = ({ reads }: Database): ReferenceClock["Service"] => ({
  now: Effect.flatMap(ask(reads, NOW_SQL, []), (rows) =>
    Effect.map(Effect.orDie(decode(rows)), ([{ now }]) => now),
  ),
})
