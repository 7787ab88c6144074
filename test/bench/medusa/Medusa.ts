/** The settings of Medusa's payment module. */
export interface MedusaSetUp {
  /** The folder that it is installed in. */
  readonly folder: string
  /** The URL of its own empty database. */
  readonly databaseUrl: string
  /** The largest number of connections to it, and of simultaneous lives. */
  readonly connections: number
}

/** A job: so many new payments up to the capture, or the refund of each of them. */
export type MedusaJob = { readonly pay: number } | "refund"

/** The work is done, or the module is ready for it. */
export type MedusaSaid = "done" | { readonly failed: string }

/** The price of a payment. */
export const PRICE = { amount: 6.99, currency_code: "usd" } as const
