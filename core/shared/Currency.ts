/**
 * What the protocol needs to know of a currency: its ISO 4217 code and the number of decimals of
 * its minor unit (JPY 0, USD 2, KWD 3).
 */
export interface Currency {
  readonly code: string
  readonly exponent: number
  /** Its number in the standard, three digits. */
  readonly numeric?: string
}

/** The known currencies by code. The core holds no list: an adapter reads the standard's list. */
export type CurrencyTable = ReadonlyMap<string, Currency>
