import { Effect } from "effect"
import type { Store } from "../../core/ports/Store.ts"
import { first } from "./lists.ts"
import type { State } from "./State.ts"

type Reads = Pick<Store["Service"], "listVerifications">

/** Questions about who was verified. */
export const identityReads = (tables: State["tables"]): Reads => ({
  listVerifications: (query) =>
    Effect.sync(() => {
      const list = "agent" in query ? query.agent : query.account_id
      return first(query.limit, tables.verification.listed(list))
    }),
})
