/** More listings than this are not counted, and not paged to. */
export const MOST_COUNTED = 10_000

/** Which listings are asked for. */
export interface ListingSearch {
  readonly service_id?: string
  /** The scheme of x402 by which they are paid. */
  readonly scheme?: string
  /** Whether they declare their input and output. */
  readonly declared?: true
  readonly limit: number
  readonly offset: number
}
