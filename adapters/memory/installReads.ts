import { Effect } from "effect"
import type { Store } from "../../core/ports/Store.ts"
import { first } from "./lists.ts"
import type { State } from "./State.ts"

type Reads = Pick<Store["Service"], "listInstalls" | "findCounter">

/** Questions about installs, their mandates and what was spent. */
export const installReads = ({ counters, tables }: State): Reads => ({
  listInstalls: ({ account_id, limit, service_id, starting_after }) =>
    Effect.sync(() => {
      const list = service_id === undefined ? account_id : `${account_id} ${service_id}`
      return first(limit, tables.install.listed(list, starting_after))
    }),
  findCounter: (counter) => Effect.sync(() => counters.get(counter) ?? 0),
})
