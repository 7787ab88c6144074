import { Data, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { services } from "../tables/services.ts"
import type { Row } from "../tables/Table.ts"
import { BlockBuilder } from "./BlockBuilder.ts"
import { arrayOf, entryKey } from "./blockRows.ts"
import { type FoldSizes, isFull } from "./chooseFold.ts"
import type { Member } from "./Members.ts"

/** Sends one statement. */
type Ask = (
  sql: string,
  parameters: ReadonlyArray<unknown>,
) => Effect.Effect<ReadonlyArray<Row>, SqlError>

/** Manifests per read, and rows per write. No other statement waits long for either. */
const READ = 100
const WRITTEN = 256

/** Manifests whose words are taken apart before other work of the process goes on. */
const TURN = 16

const ofStatus = (status: string): string => `(SELECT ${services.selection} FROM payport.services
  WHERE status = '${status}' AND (created_at, id) > ($1::timestamptz, $2::uuid)
    AND (created_at, id) <= ($3::timestamptz, $4::uuid)
  ORDER BY created_at, id LIMIT ${READ})`

const MANIFESTS_SQL = `SELECT * FROM (
    ${ofStatus("active")} UNION ALL ${ofStatus("deprecated")}) AS found
  ORDER BY created_at, id LIMIT ${READ}`

/** Whoever gives a build up does so only if it has not been renewed for a time. */
const RENEW_SQL = `UPDATE payport.search_blocks SET since = now()
  WHERE standing = 'building' AND build = ANY ($1::uuid[]) RETURNING build`

/** Adds nothing to a build that was given up: its rows would stay for ever. */
const ADD_SQL = `WITH renewed AS (${RENEW_SQL}),
  added AS (INSERT INTO payport.search_postings (build, entry, postings)
    SELECT $2::uuid, entry, decode(bytes, 'base64')
    FROM unnest($3::text[], $4::text[]) AS added (entry, bytes)
    WHERE (SELECT count(*) FROM renewed) = cardinality($1::uuid[]))
  SELECT build FROM renewed`

/** Another process has given up the builds of this one. */
class BuildGivenUp extends Data.TaggedError("BuildGivenUp") {}

/** Sends a statement that renews the builds. Fails with `BuildGivenUp` if one is not in work. */
const renewing = Effect.fnUntraced(function* (
  ask: Ask,
  sql: string,
  builds: ReadonlyArray<string>,
  parameters: ReadonlyArray<unknown> = [],
) {
  const renewed = yield* ask(sql, [arrayOf(builds), ...parameters])
  if (renewed.length < builds.length) return yield* new BuildGivenUp()
})

/** Returns a place in the order of age as two parameters. */
export const placeOf = ({ created_at, id }: Member): ReadonlyArray<unknown> => [
  new Date(created_at),
  id,
]

/**
 * Reads the public manifests of a range of ages into a block, until it is full or none is left.
 * `builds` are all that the process has in work. Fails with `BuildGivenUp`.
 */
export const gatherBlock = Effect.fnUntraced(function* (
  ask: Ask,
  builds: ReadonlyArray<string>,
  { after, upto }: { readonly after: Member; readonly upto: Member },
  sizes: Pick<FoldSizes, "largest" | "words">,
) {
  const builder = new BlockBuilder()
  let last = after
  while (!isFull(builder, sizes)) {
    yield* renewing(ask, RENEW_SQL, builds)
    const rows = yield* ask(MANIFESTS_SQL, [...placeOf(last), ...placeOf(upto)])
    for (const [n, row] of rows.entries()) {
      if (isFull(builder, sizes)) return { builder, last }
      if (n % TURN === TURN - 1) yield* Effect.yieldNow
      const manifest = services.fromRow(row)
      builder.add(manifest)
      last = manifest
    }
    if (rows.length < READ) return { builder, last: upto }
  }
  return { builder, last }
})

/** Stores the entries of a block, the last one of `builds`. Fails with `BuildGivenUp`. */
export const writeBlock = Effect.fnUntraced(function* (
  ask: Ask,
  builds: ReadonlyArray<string>,
  builder: BlockBuilder,
) {
  let entries: Array<string> = []
  let bytes: Array<string> = []
  const send = () =>
    renewing(ask, ADD_SQL, builds, [builds.at(-1), arrayOf(entries), arrayOf(bytes)])
  for (const one of builder.entries()) {
    if (one === undefined) {
      yield* Effect.yieldNow
      continue
    }
    const { entry, kind, postings } = one
    entries.push(entryKey(kind, entry))
    bytes.push(Buffer.from(postings).toString("base64"))
    if (entries.length < WRITTEN) continue
    yield* send()
    entries = []
    bytes = []
  }
  if (entries.length > 0) yield* send()
})
