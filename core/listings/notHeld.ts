import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { Store } from "../ports/Store.ts"
import { getService } from "../registry/getService.ts"
import { searchServices } from "../registry/searchServices.ts"
import type { ServiceQuery } from "../registry/ServiceQuery.ts"
import type { NotHeld } from "../registry/ServiceView.ts"
import { toIso } from "../shared/Timestamp.ts"
import { FALLEN, type Listing } from "./Listing.ts"

/** The most resources of a service that are shown. */
const MOST_TOLD = 3

const notHeldView = ({ amount, method, resource, seen, since, standing }: Listing): NotHeld => ({
  resource,
  method,
  standing: standing === "priced_differently" ? standing : "silent",
  since: toIso(since),
  listed: amount,
  ...(seen !== null && { seen }),
})

/** Finds the resources of services that no longer match their listings, by service id. */
export const findNotHeld = Effect.fnUntraced(function* (services: ReadonlyArray<string>) {
  const found = new Map<string, ReadonlyArray<NotHeld>>()
  if (services.length === 0) return found
  const by = { service_id: services, standing: FALLEN }
  for (const listing of yield* (yield* Store).list("listing", { by, order: "oldest" })) {
    const told = found.get(listing.service_id) ?? []
    if (told.length < MOST_TOLD) found.set(listing.service_id, [...told, notHeldView(listing)])
  }
  return found
})

const told = (notHeld: ReadonlyArray<NotHeld> | undefined) =>
  notHeld === undefined ? {} : { not_held: notHeld }

/** Shows a service as `getService` does, with its resources that do not match their listings. */
export const getServiceHeld = Effect.fn("getServiceHeld")(function* (caller: Caller, id: string) {
  const service = yield* getService(caller, id)
  return { ...service, ...told((yield* findNotHeld([service.id])).get(service.id)) }
})

/** Searches as `searchServices` does, with resources that do not match their listings. */
export const searchServicesHeld = Effect.fn("searchServicesHeld")(function* (
  caller: Caller,
  query: ServiceQuery,
) {
  const { data, pagination } = yield* searchServices(caller, query)
  const notHeld = yield* findNotHeld(data.map(({ id }) => id))
  return {
    data: data.map((service) => ({ ...service, ...told(notHeld.get(service.id)) })),
    pagination,
  }
})
