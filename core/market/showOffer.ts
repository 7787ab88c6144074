import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { findNotHeld } from "../listings/notHeld.ts"
import { findOwnOrPublic } from "../registry/getService.ts"
import { offerNext, offerView } from "./Offer.ts"

/** Shows a single service with its prices and plans. Fails with `NOT_FOUND`. */
export const showOffer = Effect.fn("showOffer")(function* (caller: Caller, id: string) {
  const service = yield* findOwnOrPublic(caller, id)
  const notHeld = (yield* findNotHeld([service.id])).get(service.id)
  return { ...offerView(service, notHeld), next: offerNext(service) }
})
