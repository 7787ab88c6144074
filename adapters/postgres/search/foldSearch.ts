import { Effect, Exit } from "effect"
import { randomUUID } from "node:crypto"
import type { SqlError } from "effect/sql/SqlError"
import type { Database } from "../database.ts"
import type { Connection } from "../sessions/connectWith.ts"
import type { Row } from "../tables/Table.ts"
import { arrayOf } from "./blockRows.ts"
import {
  chooseFold,
  FOLD_SIZES,
  type Fold,
  type FoldedBlock,
  type FoldSizes,
} from "./chooseFold.ts"
import { decodeWords } from "./Columns.ts"
import {
  BLOCKS_SQL,
  CHANGES_SQL,
  DROP_SQL,
  DROPPED,
  FRESH_SQL,
  GIVE_UP_SQL,
  RESERVE_SQL,
  RETIRED_SQL,
  STRAY_SQL,
} from "./foldStatements.ts"
import type { Member } from "./Members.ts"
import { gatherBlock, placeOf, writeBlock } from "./makeBlock.ts"
import { BEGINNING, type Block, blockOf, compareMembers, standingOf } from "./Standing.ts"

/** What folding needs of a database. */
interface FoldedDatabase extends Pick<Database, "schema"> {
  readonly work: Pick<Database["work"], "write">
}

/** A number that nothing else in the database uses as an advisory lock. */
const SEARCH_LOCK = 7_296_015_433

/** A builder without progress for this time is gone. Its results are dropped. */
const ABANDONED = "10 minutes"

/** Sorts after every future manifest. */
const END: Member = { created_at: 253_402_300_799_000, id: "ffffffff-ffff-ffff-ffff-ffffffffffff" }

const rowsOf = (connection: Connection, sql: string, parameters: ReadonlyArray<unknown> = []) =>
  Effect.map(connection.query(sql, parameters), ({ rows }) => rows)

const blocksOf = (rows: ReadonlyArray<Row>): ReadonlyArray<FoldedBlock> => {
  const words = new Map(rows.map((row) => [row["id"], row["words"] as Uint8Array | null]))
  return standingOf(rows).blocks.map((block) => {
    const counted = words.get(block.build)
    return { ...block, words: counted == null ? 0 : decodeWords(counted) }
  })
}

interface Change {
  readonly change: string
  readonly member: Member
}

const changeOf = ({ at, change, id }: Row): Change => ({
  change: String(change),
  member: { created_at: (at as Date).getTime(), id: String(id) },
})

/** Works on the index, one transaction at a time, under a lock that all processes share. */
class Folding {
  readonly #database: FoldedDatabase
  readonly #sizes: FoldSizes

  constructor(database: FoldedDatabase, sizes: FoldSizes) {
    this.#database = database
    this.#sizes = sizes
  }

  readonly #locked = <A>(work: (connection: Connection) => Effect.Effect<A, SqlError>) =>
    this.#database.work.write((connection) =>
      Effect.gen({ self: this }, function* () {
        const lock = this.#database.schema.lock(SEARCH_LOCK)
        yield* connection.query("BEGIN", [], false)
        yield* connection.query("SELECT pg_advisory_xact_lock($1::bigint)", [lock])
        const answer = yield* work(connection)
        yield* connection.query("COMMIT", [], false)
        return answer
      }).pipe(
        Effect.tapCause(() => Effect.ignore(connection.query("ROLLBACK", [], false))),
        Effect.uninterruptible,
      ),
    )

  readonly #ask = (sql: string, parameters: ReadonlyArray<unknown> = []) =>
    this.#database.work.write((connection) => rowsOf(connection, sql, parameters))

  /**
   * Reserves the next build under a number of its own. Returns undefined if there is nothing to do
   * or another process is building. Changes newer than all blocks are deleted: their manifests are
   * in no block, and nobody is building one.
   */
  readonly #begin = (build: string) =>
    this.#locked((connection) =>
      Effect.gen({ self: this }, function* () {
        yield* connection.query(`UPDATE payport.search_blocks
          SET standing = 'retired', since = now()
          WHERE standing = 'building' AND since < now() - interval '${ABANDONED}'`)
        const [{ n: building } = { n: 0 }] = yield* rowsOf(
          connection,
          "SELECT count(*)::int AS n FROM payport.search_blocks WHERE standing = 'building'",
        )
        if (Number(building) > 0) return undefined
        const blocks = blocksOf(yield* rowsOf(connection, BLOCKS_SQL))
        const last = blocks.at(-1)?.upto ?? BEGINNING
        yield* connection.query(
          `DELETE FROM payport.search_changes
            WHERE (created_at, service_id) > ($1::timestamptz, $2::uuid)`,
          placeOf(last),
        )
        const changes = (yield* rowsOf(connection, CHANGES_SQL)).map(changeOf)
        const changed = blocks.map(() => 0)
        for (const { member } of changes) {
          const n = blockOf(blocks, member)
          changed[n] = (changed[n] ?? 0) + 1
        }
        const { largest } = this.#sizes
        const [{ n: fresh } = { n: 0 }] = yield* rowsOf(connection, FRESH_SQL, [
          ...placeOf(last),
          largest,
        ])
        const fold = chooseFold(blocks, { changed, fresh: Number(fresh) }, this.#sizes)
        if (fold === undefined) return undefined
        yield* connection.query(
          `INSERT INTO payport.search_blocks (build, standing, since, size, upto_at, upto_id)
            VALUES ($1::uuid, 'building', now(), 0, $2::timestamptz, $3::uuid)`,
          [build, ...placeOf(last)],
        )
        return { blocks, changes, fold }
      }),
    )

  /** Replaces old blocks by new ones, unless others have changed the blocks meanwhile. */
  readonly #switch = ({ begun: { blocks, changes, fold }, build, made }: Made) =>
    this.#locked((connection) =>
      Effect.gen(function* () {
        const [{ n: own } = { n: 0 }] = yield* rowsOf(
          connection,
          `SELECT count(*)::int AS n FROM payport.search_blocks
            WHERE standing = 'building' AND build = $1::uuid`,
          [build],
        )
        const now = blocksOf(yield* rowsOf(connection, BLOCKS_SQL))
        const isSame = now.map((block) => block.build).join() === blocks.map((b) => b.build).join()
        if (Number(own) === 0 || !isSame) return false
        const after = blocks[fold.from - 1]?.upto ?? BEGINNING
        const last = made.at(-1)?.upto ?? after
        const seen = changes.filter(
          ({ member }) => compareMembers(member, after) > 0 && compareMembers(member, last) <= 0,
        )
        yield* connection.query(
          `UPDATE payport.search_blocks SET standing = 'retired', since = now()
            WHERE build = ANY ($1::uuid[])`,
          [arrayOf(blocks.slice(fold.from, fold.to).map((block) => block.build))],
        )
        for (const block of made) {
          yield* connection.query(
            `INSERT INTO payport.search_blocks (build, standing, since, size, upto_at, upto_id)
              VALUES ($1::uuid, 'current', now(), $2::int, $3::timestamptz, $4::uuid)
              ON CONFLICT (build) DO UPDATE SET standing = 'current', since = now(),
                size = excluded.size, upto_at = excluded.upto_at, upto_id = excluded.upto_id`,
            [block.build, block.size, ...placeOf(block.upto)],
          )
        }
        yield* connection.query(
          "DELETE FROM payport.search_changes WHERE change = ANY ($1::uuid[])",
          [arrayOf(seen.map(({ change }) => change))],
        )
        return true
      }),
    )

  /** Writes the chosen blocks under builds that no search reads yet, and adds them to `builds`. */
  readonly #make = Effect.fnUntraced(
    { self: this },
    function* (this: Folding, build: string, builds: Array<string>) {
      const begun = yield* this.#begin(build)
      if (begun === undefined) return undefined
      const { blocks, fold } = begun
      const made: Array<Block> = []
      let after = blocks[fold.from - 1]?.upto ?? BEGINNING
      const upto = fold.to > fold.from ? (blocks[fold.to - 1]?.upto ?? END) : END
      const isTail = upto === END
      for (let isWhole = false; !isWhole;) {
        const { builder, last } = yield* gatherBlock(
          this.#ask,
          builds,
          { after, upto },
          this.#sizes,
        )
        const own = made.length === 0 ? build : randomUUID()
        if (own !== build) {
          builds.push(own)
          yield* this.#ask(RESERVE_SQL, [own, ...placeOf(after)])
        }
        yield* writeBlock(this.#ask, builds, builder)
        after = isTail ? (builder.last ?? after) : last
        made.push({ build: own, size: builder.size, upto: after })
        // Manifests after all blocks are put into blocks one by one.
        isWhole = isTail || compareMembers(after, upto) >= 0
      }
      return { begun, build, made }
    },
  )

  /** Builds the chosen blocks. Returns whether there was anything to do. */
  readonly once = Effect.fnUntraced({ self: this }, function* (this: Folding) {
    const build = randomUUID()
    const builds = [build]
    return yield* this.#make(build, builds).pipe(
      Effect.catchTag("BuildGivenUp", () => Effect.succeed(undefined)),
      Effect.flatMap((made) => (made === undefined ? Effect.succeed(false) : this.#switch(made))),
      Effect.onExit((exit) =>
        Exit.isSuccess(exit) && exit.value
          ? Effect.void
          : Effect.ignore(Effect.suspend(() => this.#ask(GIVE_UP_SQL, [arrayOf(builds)]))),
      ),
    )
  })

  /** Drops blocks that no search reads any more, and postings without a block. */
  readonly clean = Effect.fnUntraced({ self: this }, function* (this: Folding) {
    const old = [...(yield* this.#ask(RETIRED_SQL)), ...(yield* this.#ask(STRAY_SQL))]
    for (const { build } of old) {
      let dropped = DROPPED
      while (dropped >= DROPPED) {
        const [{ n } = { n: 0 }] = yield* this.#ask(DROP_SQL, [build])
        dropped = Number(n)
      }
      yield* this.#ask(
        "DELETE FROM payport.search_blocks WHERE standing = 'retired' AND build = $1::uuid",
        [build],
      )
    }
  })
}

interface Begun {
  readonly blocks: ReadonlyArray<FoldedBlock>
  readonly changes: ReadonlyArray<Change>
  readonly fold: Fold
}

interface Made {
  readonly begun: Begun
  readonly build: string
  readonly made: ReadonlyArray<Block>
}

/**
 * Makes blocks of new and changed manifests, until nothing is left that is worth a block. Several
 * processes take turns.
 */
export const foldSearch = (database: FoldedDatabase, sizes: FoldSizes = FOLD_SIZES) => {
  const folding = new Folding(database, sizes)
  return Effect.gen(function* () {
    while (yield* folding.once());
    yield* folding.clean()
  })
}
