import type { PriceFilter } from "./PriceFilter.ts"
import type { ManifestStatus } from "./ServiceManifest.ts"

/** What a search asks of the registry (Service registry). `viewer` is the asking account. */
export interface ServiceSearch {
  readonly q?: string
  readonly channel?: string
  readonly payment_method?: "one_time" | "cumulative" | "subscription"
  /** Only services that have such a price, for that method where one is asked for. */
  readonly price?: PriceFilter
  /** Only services among these. */
  readonly ids?: ReadonlyArray<string>
  /** No more than so many of one seller are found, its best; all of them count in the total. */
  readonly most_of_seller?: number
  readonly status: ManifestStatus
  readonly viewer: string
  readonly limit: number
  readonly offset: number
}

/** The found ones without those of a seller that has as many before them; best first. */
export const uncrowded = <S extends { readonly account_id: string }>(
  found: ReadonlyArray<S>,
  most: number,
): ReadonlyArray<S> => {
  const shown = new Map<string, number>()
  return found.filter(({ account_id }) => {
    const before = shown.get(account_id) ?? 0
    shown.set(account_id, before + 1)
    return before < most
  })
}
