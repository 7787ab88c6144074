import { Effect } from "effect"
import type { Offer, ProbeAnswer } from "../../core/listings/Probe.ts"
import type { ResourceProbe } from "../../core/ports/ResourceProbe.ts"
import type { Money } from "../../core/shared/Money.ts"
import { MINUTE } from "../../core/shared/Timestamp.ts"
import type { Auditor } from "../auditor/Auditor.ts"

/** How often listings are probed in a world; short, so that it need not wait long. */
export const LOOKED_AT_EVERY = 2 * MINUTE

/** A seller's resource and its terms for those who have not paid; null while it does not answer. */
export interface Asking {
  readonly pay_to: string
  readonly amount: Money
}

/** Returns the answer to a probe. */
const answerOf = (asking: Asking | null): ProbeAnswer => {
  if (asking === null) return { type: "silent", reason: "timeout" }
  const offer: Offer = {
    ...asking,
    scheme: "exact",
    network: "payport:sandbox",
    max_timeout_seconds: 300,
  }
  const said = { description: null, mime_type: null, declared: null }
  return { type: "payment_required", offers: [offer], template: null, said }
}

/** Resources at sellers' own addresses. Each states its terms, until it stops answering. */
export class Shops {
  readonly #asking = new Map<string, Asking>()
  readonly #auditor: Auditor
  readonly probe: ResourceProbe["Service"]

  constructor(auditor: Auditor) {
    this.#auditor = auditor
    this.probe = {
      ask: ({ url }) =>
        Effect.sync(() => {
          const asking = this.#asking.get(url) ?? null
          auditor.see("probed", url, { resource: url, asking })
          return answerOf(asking)
        }),
    }
  }

  /** Sets the resource's terms; null if it stops answering. */
  ask(resource: string, asking: Asking | null): void {
    if (asking === null) this.#asking.delete(resource)
    else this.#asking.set(resource, asking)
    this.#auditor.see("shop", resource, { resource, asking })
  }
}
