/**
 * What the protocol has to know of a currency: its ISO 4217 code and how many decimals its minor
 * unit stands for (JPY 0, USD 2, KWD 3).
 */
export interface Currency {
  readonly code: string
  readonly exponent: number
  /** Its number in the standard, three digits. */
  readonly numeric?: string
}

/** The known currencies by code. The core holds no list: an adapter reads the standard's. */
export type CurrencyTable = ReadonlyMap<string, Currency>
