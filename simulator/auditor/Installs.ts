// Written independently of core/installs on purpose: see Model.ts.

import type { Install } from "../../core/installs/Install.ts"
import { CAP_PERIODS, type CapPeriod, periodStart } from "../../core/installs/SpendCap.ts"
import type { PaymentIntent } from "../../core/payments/PaymentIntent.ts"
import type { Write } from "../../core/ports/Store.ts"
import type { Timestamp } from "../../core/shared/Timestamp.ts"
import type { Knowledge } from "./Knowledge.ts"

interface Stored {
  /** Undefined from its removal on. */
  readonly install: Install | undefined
  readonly from: Timestamp
}

type Payer = Pick<PaymentIntent, "payer" | "payer_account_id" | "service_id">

/** Whose install a payment would be made through. */
export const payerOf = ({ payer, payer_account_id, service_id }: Payer): string =>
  `${payer_account_id} ${payer.agent_id} ${service_id}`

/** How agents have used services, and what counts against their caps. */
export class Installs {
  readonly #stored = new Map<string, Array<Stored>>()
  /** The payments that count, by payer, currency of the cap, and period. */
  readonly #counted = new Map<string, Array<string>>()
  /** The alerts that were told: an install's, of a percentage, in a period. */
  readonly alerted = new Set<string>()
  /** The payments that are being charged now. */
  readonly charging = new Set<string>()

  /** As it was stored last. */
  latest(payer: string): Install | undefined {
    return this.#stored.get(payer)?.at(-1)?.install
  }

  /** The one that was there for all of that time; undefined where it was another, or none. */
  throughout(payer: string, from: Timestamp, to: Timestamp): Install | undefined {
    const stored = this.#stored.get(payer)?.findLast((known) => known.from < from)
    const changed = this.#stored.get(payer)?.some((known) => from <= known.from && known.from <= to)
    return changed === true ? undefined : stored?.install
  }

  /** The payments that count against a cap of that currency in the period of that time. */
  countedIn(payer: string, currency: string, period: CapPeriod, at: Timestamp) {
    return this.#counted.get(`${payer} ${currency} ${period} ${periodStart(period, at)}`) ?? []
  }

  count(payer: string, currency: string, { created_at, id }: PaymentIntent): void {
    for (const period of CAP_PERIODS) {
      const name = `${payer} ${currency} ${period} ${periodStart(period, created_at)}`
      const counted = this.#counted.get(name)
      if (counted === undefined) this.#counted.set(name, [id])
      else counted.push(id)
    }
  }

  learn({ kind, op, record }: Write, at: Timestamp): void {
    if (kind === "payment_intent") {
      if (record.status === "debiting") this.charging.add(record.id)
      else this.charging.delete(record.id)
    }
    if (kind !== "install") return
    const { account_id, agent_id, service_id } = record
    const payer = `${account_id} ${agent_id} ${service_id}`
    const stored = this.#stored.get(payer) ?? []
    stored.push({ install: op === "remove" ? undefined : record, from: at })
    this.#stored.set(payer, stored)
  }
}

/** What the auditor keeps in mind of how agents use services. */
export const installs: Knowledge<Installs> = {
  name: "installs",
  make: () => new Installs(),
  learn: (known, write, at) => known.learn(write, at),
}
