import type { PriceFilter } from "./PriceFilter.ts"
import type { ManifestStatus } from "./ServiceManifest.ts"

/** A search of the registry (Service registry). `viewer` is the searching account. */
export interface ServiceSearch {
  readonly q?: string
  readonly channel?: string
  readonly payment_method?: "one_time" | "cumulative" | "subscription"
  /** Only services with such a price, for the given payment method if there is one. */
  readonly price?: PriceFilter
  /** Only the viewer's own services. */
  readonly own?: true
  /** Only services with one of these ids. */
  readonly ids?: ReadonlyArray<string>
  /**
   * The most services of one seller in the results, its best ones. The total counts all of them.
   */
  readonly most_of_seller?: number
  readonly status: ManifestStatus
  readonly viewer: string
  readonly limit: number
  readonly offset: number
}

/** Keeps at most `most` services of each seller. `found` is ordered best first. */
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
