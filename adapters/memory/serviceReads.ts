import { Effect } from "effect"
import type { Store } from "../../core/ports/Store.ts"
import { activeServices, searchServices } from "./search.ts"
import { activeName, ownName } from "../../core/registry/ServiceManifest.ts"
import type { State } from "./State.ts"

type Reads = Pick<
  Store["Service"],
  "findServiceByName" | "findActiveServiceByName" | "searchServices" | "listActiveServices"
>

/** Questions about the registry. */
export const serviceReads = (tables: State["tables"]): Reads => ({
  findServiceByName: (accountId, nameKey) =>
    Effect.sync(() => tables.service.named(ownName(accountId, nameKey))),
  findActiveServiceByName: (nameKey) =>
    Effect.sync(() => tables.service.named(activeName(nameKey))),
  searchServices: (search) => Effect.sync(() => searchServices(tables.service.values(), search)),
  listActiveServices: (query) => Effect.sync(() => activeServices(tables.service.values(), query)),
})
