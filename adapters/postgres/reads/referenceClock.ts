import { Effect, Schema } from "effect"
import type { ReferenceClock } from "../../../core/ports/ReferenceClock.ts"
import { ask, type Database } from "../database.ts"

/** The server's time of day at the moment of asking, in milliseconds. */
export const NOW_SQL = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now"

const decode = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ now: Schema.Finite })]))

/** The database's own time of day, read when it is asked for and not when a transaction began. */
export const referenceClock = ({ reads }: Database): ReferenceClock["Service"] => ({
  now: Effect.flatMap(ask(reads, NOW_SQL, []), (rows) =>
    Effect.map(Effect.orDie(decode(rows)), ([{ now }]) => now),
  ),
})
