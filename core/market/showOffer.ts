import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { findOwnOrPublic } from "../registry/getService.ts"
import { offerNext, offerView } from "./Offer.ts"

/** A service by itself, with its prices and plans. Fails with `NOT_FOUND`. */
export const showOffer = Effect.fn("showOffer")(function* (caller: Caller, id: string) {
  const service = yield* findOwnOrPublic(caller, id)
  return { ...offerView(service), next: offerNext(service) }
})
