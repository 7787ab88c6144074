/** The most listings that are counted, and the largest offset. */
export const MOST_COUNTED = 10_000

/** A search of listings. */
export interface ListingSearch {
  readonly service_id?: string
  /** The x402 scheme of the payment. */
  readonly scheme?: string
  /** Only listings that declare their input and output. */
  readonly declared?: true
  readonly limit: number
  readonly offset: number
}
