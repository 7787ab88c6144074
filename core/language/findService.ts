import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { Store } from "../ports/Store.ts"
import type { PaymentMethods } from "../registry/Pricing.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { searchWords } from "../registry/ServiceQuery.ts"
import { isUuid } from "../shared/Id.ts"
import { nameKey } from "../shared/Text.ts"
import type { QueryContext } from "./QueryInput.ts"
import { holdsWords } from "./Trusted.ts"
import type { Entities } from "./Understanding.ts"

/**
 * How reliable a name in a text is: a `guessed` name may have extra words, every word of a `whole`
 * name belongs to it, and an `exact` name is the service's full name.
 */
export type NameKind = "guessed" | "whole" | "exact"

/** The service that a text names, or the services that it may name. */
export interface FoundService {
  readonly service: ServiceManifest | undefined
  readonly choices: ReadonlyArray<string>
}

/** The most searches for one name, each with fewer words. */
const MOST_SEARCHES = 4

/** Returns the name, and the name without its last or its first words. */
const shorter = (name: string): ReadonlyArray<string> => {
  const words = name.split(/\s+/)
  const ends = [1, 2].map((count) => words.slice(0, -count).join(" "))
  const begins = words.slice(1).join(" ")
  return [name, ...ends, begins].filter((text) => text !== "").slice(0, MOST_SEARCHES)
}

/**
 * Finds the active service of that name, if it is clear which one is meant: by its whole name, or
 * as the only service whose name contains all of the words. A service that is found by its
 * description, or by a part of the name, becomes a choice only: any seller can write any
 * description.
 */
const serviceNamed = Effect.fnUntraced(function* (
  caller: Caller,
  name: string,
  method: keyof PaymentMethods | undefined,
  kind: NameKind,
) {
  const store = yield* Store
  let choices: ReadonlyArray<string> = []
  const active = yield* store.findBy("service", { name_key: nameKey(name) })
  if (active !== undefined && (method === undefined || active.payment_methods[method] === true)) {
    return { service: active, choices: [] } satisfies FoundService
  }
  for (const text of kind === "exact" ? [] : shorter(name)) {
    const q = searchWords(text)
    if (q === undefined) continue
    const { data } = yield* store.searchServices({
      q,
      ...(method !== undefined && { payment_method: method }),
      status: "active",
      viewer: caller.account.id,
      limit: 20,
      offset: 0,
    })
    const partly = data.find((service) => service.name_key === nameKey(text))
    const exact = kind === "guessed" ? partly : undefined
    const [only, another] = text === name ? data : []
    const isOnly = another === undefined && only !== undefined && holdsWords(only.name, name)
    const service = exact ?? (isOnly ? only : undefined)
    if (service !== undefined) return { service, choices: [] } satisfies FoundService
    if (choices.length === 0) choices = data.map((found) => found.name)
  }
  return { service: undefined, choices } satisfies FoundService
})

const activeService = Effect.fnUntraced(function* (id: string) {
  const found = isUuid(id) ? yield* (yield* Store).find("service", id) : undefined
  return found?.status === "active" ? found : undefined
})

/** Finds the service that a text or its context names. */
export const findService = Effect.fnUntraced(function* (
  caller: Caller,
  { service, service_id }: Entities,
  context: QueryContext,
  method: keyof PaymentMethods | undefined,
  kind: NameKind,
) {
  const id = service_id ?? (service === undefined ? context.service_id : undefined)
  if (id !== undefined) {
    return { service: yield* activeService(id), choices: [] } satisfies FoundService
  }
  if (service === undefined) return { service: undefined, choices: [] } satisfies FoundService
  const found: FoundService = yield* serviceNamed(caller, service, method, kind)
  if (found.service !== undefined || found.choices.length > 0 || kind !== "guessed") return found
  // A guessed name may be wrong, so the service of the context is used.
  const known = context.service_id
  const given = known === undefined ? undefined : yield* activeService(known)
  return { service: given, choices: [] } satisfies FoundService
})
