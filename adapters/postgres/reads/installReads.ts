import { Effect } from "effect"
import type { Store } from "../../../core/ports/Store.ts"
import { isUuid } from "../../../core/shared/Id.ts"
import { ask, type Database } from "../database.ts"
import { installs } from "../tables/installs.ts"
import { newest, newestSql } from "./newest.ts"

type Reads = Pick<Store["Service"], "listInstalls" | "findCounter">

/** The statements of these questions. */
export const INSTALL_SQL = {
  ofAccount: newestSql(installs),
  ofService: newestSql(installs, "account_id", " AND service_id = $4::uuid"),
  counter: "SELECT value FROM counters WHERE counter = $1",
}

/** Questions about installs, their mandates and what was spent. */
export const installReads = ({ reads }: Database): Reads => ({
  listInstalls: ({ account_id, service_id, ...page }) => {
    const owner = ["acct", account_id] as const
    if (service_id === undefined) return newest(reads, installs, INSTALL_SQL.ofAccount, owner, page)
    if (!isUuid(service_id)) return Effect.succeed([])
    return newest(reads, installs, INSTALL_SQL.ofService, owner, page, service_id)
  },
  findCounter: (counter) =>
    Effect.map(ask(reads, INSTALL_SQL.counter, [counter]), ([row]) => Number(row?.["value"] ?? 0)),
})
