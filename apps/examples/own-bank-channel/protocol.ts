import { createHmac } from "node:crypto"

/** An order at the bank: `open`, then `held` for the shop, then `taken` or `over`. */
export interface Order {
  id: string
  cents: number
  link: boolean
  state: "open" | "held" | "taken" | "over"
  /** Cents that went back. */
  back: number
}

/** What the shop asks for under a number; null is what a person did. */
export interface Operation {
  op: "capture" | "release" | "close" | "refund"
  order: string
  cents: number
  number: string | null
}

export type Done = Operation & { ok: boolean; at: string }

/** How the bank signs what it calls back with. */
export const sign = (secret: string, body: string | Uint8Array) =>
  createHmac("sha256", secret).update(body).digest("hex")
