import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { services } from "../tables/services.ts"
import type { Row } from "../tables/Table.ts"
import { BlockBuilder } from "./BlockBuilder.ts"
import { arrayOf, entryKey } from "./blockRows.ts"
import type { Member } from "./Members.ts"

/** Sends one statement. */
type Ask = (
  sql: string,
  parameters: ReadonlyArray<unknown>,
) => Effect.Effect<ReadonlyArray<Row>, SqlError>

/** Manifests per read, and rows per write. No other statement waits long for either. */
const READ = 100
const WRITTEN = 256

const ofStatus = (status: string): string => `(SELECT ${services.selection} FROM payport.services
  WHERE status = '${status}' AND (created_at, id) > ($1::timestamptz, $2::uuid)
    AND (created_at, id) <= ($3::timestamptz, $4::uuid)
  ORDER BY created_at, id LIMIT ${READ})`

const MANIFESTS_SQL = `SELECT * FROM (
    ${ofStatus("active")} UNION ALL ${ofStatus("deprecated")}) AS found
  ORDER BY created_at, id LIMIT ${READ}`

const ADD_SQL = `INSERT INTO payport.search_postings (build, entry, postings)
  SELECT $1::uuid, entry, decode(bytes, 'base64')
  FROM unnest($2::text[], $3::text[]) AS added (entry, bytes)`

/** Returns a place in the order of age as two parameters. */
export const placeOf = ({ created_at, id }: Member): ReadonlyArray<unknown> => [
  new Date(created_at),
  id,
]

/** Reads the public manifests of a range of ages into a block, until it is full or none is left. */
export const gatherBlock = Effect.fnUntraced(function* (
  ask: Ask,
  { after, upto }: { readonly after: Member; readonly upto: Member },
  largest: number,
) {
  const builder = new BlockBuilder()
  let last = after
  while (builder.size < largest) {
    const rows = yield* ask(MANIFESTS_SQL, [...placeOf(last), ...placeOf(upto)])
    const room = rows.slice(0, largest - builder.size)
    for (const row of room) {
      const manifest = services.fromRow(row)
      builder.add(manifest)
      last = manifest
    }
    if (rows.length < READ && room.length === rows.length) return { builder, last: upto }
  }
  return { builder, last }
})

/** Stores the entries of a block. */
export const writeBlock = Effect.fnUntraced(function* (
  ask: Ask,
  build: string,
  builder: BlockBuilder,
) {
  let entries: Array<string> = []
  let bytes: Array<string> = []
  const send = () => ask(ADD_SQL, [build, arrayOf(entries), arrayOf(bytes)])
  for (const { entry, kind, postings } of builder.entries()) {
    entries.push(entryKey(kind, entry))
    bytes.push(Buffer.from(postings).toString("base64"))
    if (entries.length < WRITTEN) continue
    yield* send()
    entries = []
    bytes = []
  }
  if (entries.length > 0) yield* send()
})
