import { Effect } from "effect"
import { findHosted } from "../../../core/hosted/showHosted.ts"
import { Store } from "../../../core/ports/Store.ts"
import type { ManifestInput } from "../../../core/registry/ManifestInput.ts"
import { moveService } from "../../../core/registry/moveService.ts"
import { registerService } from "../../../core/registry/registerService.ts"
import { catchFailure } from "../../../core/shared/catchFailure.ts"
import { notFound } from "../../../core/shared/Failure.ts"

const SELLER = "demo-seller"

/** The offer of a sandbox's demo seller, for trying a payment. */
export const OFFER: ManifestInput = {
  name: "Demo papers",
  description: "Sums up a research paper.",
  payment_methods: { one_time: true },
  pricing: { one_time: [{ amount: 699, currency: "USD", label: "One paper, summed up" }] },
  accepted_channels: ["wallet_a", "wallet_b"],
  default_channel: "wallet_a",
  qr_mode: "static",
  settlement_currency: "USD",
  endpoint: "https://papers.example/hook",
  tags: ["demo"],
}

/** Finds the seller that every sandbox of `npm start` has. Other sandboxes have no demo. */
export const demoSeller = Effect.gen(function* () {
  const account = yield* (yield* Store).findBy("account", { agent_id: SELLER })
  return account ?? (yield* notFound("demo", ""))
})

/** Registers the offer once, and activates it. */
export const onSale = Effect.fnUntraced(function* () {
  const caller = { account: yield* demoSeller, api_key_id: "demo" }
  const { id, status } = yield* registerService(caller, OFFER)
  const activating = moveService(caller, id, "activate")
  // A concurrent click may have activated it.
  const done = catchFailure(["INVALID_TRANSITION"], () => Effect.void)
  if (status === "draft") yield* done(activating)
  return id
})

/** Whether a payment is for the demo's offer. Fails with `NOT_FOUND` for an unknown payment. */
export const isOfDemo = Effect.fnUntraced(function* (id: string) {
  const { payee, service_id } = yield* findHosted(id)
  if (payee.agent_id !== SELLER) return false
  const service = yield* (yield* Store).find("service", service_id)
  return service?.name === OFFER.name
})
