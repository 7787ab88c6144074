/** What Medusa's payment module is started with. */
export interface MedusaSetUp {
  /** The folder that it is installed in. */
  readonly folder: string
  /** A database of its own, which is empty. */
  readonly databaseUrl: string
  /** Most connections to it, and as many lives are under way at a time. */
  readonly connections: number
}

/** What it lives: so many new payments until they are captured, or the refund of each of those. */
export type MedusaJob = { readonly pay: number } | "refund"

/** The work is done, or the module is ready for it. */
export type MedusaSaid = "done" | { readonly failed: string }

/** What a payment is about. */
export const PRICE = { amount: 6.99, currency_code: "usd" } as const
