import type { Kind, Write } from "../../core/ports/Store.ts"
import type { Knowledge } from "./Knowledge.ts"

/** What only those may know of whom it names. */
const PRIVATE: ReadonlySet<Kind> = new Set<Kind>([
  "api_key",
  "appeal",
  "delivery",
  "endpoint",
  "event",
  "install",
  "invoice",
  "payment_intent",
  "refund",
  "statement",
  "subscription",
  "verification",
  "webhook_key",
])

const IDS = /\b[a-z]{2,5}_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g

/** Which accounts each private record belongs to, by its id. */
export class Owners {
  readonly #owners = new Map<string, ReadonlySet<unknown>>()

  learn({ kind, op, record }: Write): void {
    if (op !== "insert" || !PRIVATE.has(kind)) return
    const named = Object.entries(record).flatMap(([field, value]) =>
      field.endsWith("account_id") && value !== null ? [value as unknown] : [],
    )
    const paid = kind === "refund" ? (this.#owners.get(record.payment_intent) ?? []) : []
    this.#owners.set(record.id, new Set([...named, ...paid]))
  }

  /** The first record that a text names although the account does not own it. */
  stranger(account: string, text: string): string | undefined {
    return text.match(IDS)?.find((id) => this.#owners.get(id)?.has(account) === false)
  }

  /** Some records of others whose ids begin with a prefix, the latest first. */
  of(others: string, prefix: string, most: number): ReadonlyArray<string> {
    const found: Array<string> = []
    for (const [id, owners] of [...this.#owners].toReversed()) {
      if (found.length === most) break
      if (id.startsWith(`${prefix}_`) && !owners.has(others)) found.push(id)
    }
    return found
  }
}

/** What the auditor keeps in mind of whose everything is. */
export const owners: Knowledge<Owners> = {
  name: "owners",
  make: () => new Owners(),
  learn: (known, write) => known.learn(write),
}
