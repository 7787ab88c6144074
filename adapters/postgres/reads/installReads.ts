import { Effect } from "effect"
import type { Store } from "../../../core/ports/Store.ts"
import { isId, isUuid } from "../../../core/shared/Id.ts"
import { ask, type Database } from "../database.ts"
import { installs } from "../tables/installs.ts"
import { bareId, LAST_UUID } from "../tables/codecs.ts"

type Reads = Pick<Store["Service"], "listInstalls" | "findCounter">

const list = (filter: string, limit: string): string =>
  `SELECT ${installs.selection} FROM installs
    WHERE account_id = $1::uuid AND id < $2::uuid${filter} ORDER BY id DESC LIMIT ${limit}`

/** The statements of these questions. */
export const INSTALL_SQL = {
  ofAccount: list("", "$3"),
  ofService: list(" AND service_id = $3::uuid", "$4"),
  counter: "SELECT value FROM counters WHERE counter = $1",
}

/** Questions about installs, their mandates and what was spent. */
export const installReads = ({ reads }: Database): Reads => ({
  listInstalls: ({ account_id, limit, service_id, starting_after }) => {
    const after = starting_after ?? `ins_${LAST_UUID}`
    if (!isId("acct", account_id) || !after.startsWith("ins_")) return Effect.succeed([])
    if (service_id !== undefined && !isUuid(service_id)) return Effect.succeed([])
    const page = [bareId("acct", account_id), bareId("ins", after)]
    const asked =
      service_id === undefined
        ? ask(reads, INSTALL_SQL.ofAccount, [...page, limit])
        : ask(reads, INSTALL_SQL.ofService, [...page, service_id, limit])
    return Effect.map(asked, (rows) => rows.map((row) => installs.fromRow(row)))
  },
  findCounter: (counter) =>
    Effect.map(ask(reads, INSTALL_SQL.counter, [counter]), ([row]) => Number(row?.["value"] ?? 0)),
})
