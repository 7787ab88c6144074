import { Effect } from "effect"
import { SECOND } from "../../core/shared/Timestamp.ts"
import type { Shown } from "../players/PlayerWorld.ts"
import type { Chance } from "../random/Chance.ts"
import type { Scene } from "../world/Stage.ts"

/**
 * Lets a person pay a payment in that share of all cases, through one of the channels that it
 * offers. The person scans a QR code first, and needs some seconds for it.
 */
export const payShown = Effect.fnUntraced(function* (
  { network, stage }: Scene,
  { channel, channels = [], id }: Shown,
  chance: Chance,
  share: number,
) {
  if (!chance.hits(share)) return
  yield* Effect.sleep(chance.wait(20 * SECOND))
  const offered = channel ?? channels[0]?.channel
  const charge = offered === undefined ? undefined : network.find(offered, id)
  if (charge === undefined || (charge.kind === "qr" && !network.scan(charge))) return
  yield* Effect.sleep(chance.wait(10 * SECOND))
  const payer = stage.chance(`wallet of ${id}`).int(1, 50)
  network.pay(charge, { payer_id: `human-${payer}`, wallet_id: `wallet-${payer}` })
})
