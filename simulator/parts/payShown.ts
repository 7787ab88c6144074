import { Effect } from "effect"
import { SECOND } from "../../core/shared/Timestamp.ts"
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
