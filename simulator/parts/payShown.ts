import { Effect } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import { captureIntent } from "../../core/payments/captureIntent.ts"
import { MINUTE, SECOND } from "../../core/shared/Timestamp.ts"
import type { Shown } from "../players/PlayerWorld.ts"
import type { Chance } from "../random/Chance.ts"
import type { Scene } from "../world/Stage.ts"

/** A payment as its payer's wallet finds it: by its channel, or by the first that is offered. */
type Payable = Pick<Shown, "channels" | "id"> & { readonly channel: string | null }

/**
 * Opens a payment in a wallet and confirms it in that share of all cases; in the others the person
 * leaves it. Some seconds pass before each. A QR code has to be scanned first.
 */
export const payShown = Effect.fnUntraced(function* (
  { network }: Scene,
  { channel, channels = [], id }: Payable,
  chance: Chance,
  share: number,
) {
  yield* Effect.sleep(chance.wait(10 * SECOND))
  const offered = channel ?? channels[0]?.channel
  const charge = offered === undefined ? undefined : network.find(offered, id)
  if (charge === undefined || (charge.kind === "qr" && !network.scan(charge))) return
  yield* Effect.sleep(chance.wait(10 * SECOND))
  if (chance.hits(share)) network.pay(charge, { payer_id: `buyer ${id}`, wallet_id: "wallet" })
})

/**
 * Does the same, in four of five cases, and captures the payment for its seller about a minute
 * later, under that Idempotency-Key.
 */
export const payAndCapture = Effect.fnUntraced(function* (
  scene: Scene,
  seller: Caller,
  shown: Payable,
  chance: Chance,
  key: string,
) {
  const { id } = shown
  yield* payShown(scene, shown, chance, 0.8)
  yield* Effect.sleep(chance.wait(MINUTE))
  yield* scene.client.send({
    caller: seller,
    route: `POST /v1/payment-intents/${id}/capture`,
    body: {},
    key,
    moves: { id, event: "capture" },
    verb: captureIntent(seller, id, {}),
  })
})
