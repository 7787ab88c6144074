import type { Challenge } from "../../core/challenges/Challenge.ts"
import type { Write } from "../../core/ports/Store.ts"
import type { Knowledge } from "./Knowledge.ts"

/** What paid endpoints have asked for, and which proofs were accepted. */
export class Challenges {
  /** By payment, as it was stored last; what was forgotten stays known. */
  readonly #stored = new Map<string, Challenge>()
  /** The payments whose proof was accepted, with how often. */
  readonly accepted = new Map<string, number>()
  /** The payments about whose challenge nothing is stored any more. */
  readonly forgotten = new Set<string>()
  /** The payments whose money was being taken, or had been, when a proof was shown. */
  readonly underway = new Set<string>()

  of(payment: string): Challenge | undefined {
    return this.#stored.get(payment)
  }

  learn({ kind, op, record }: Write): void {
    if (kind !== "challenge") return
    if (op === "remove") this.forgotten.add(record.payment_intent)
    else this.#stored.set(record.payment_intent, record)
  }
}

/** What the auditor keeps in mind of challenges. */
export const challenges: Knowledge<Challenges> = {
  name: "challenges",
  make: () => new Challenges(),
  learn: (known, write) => known.learn(write),
}
