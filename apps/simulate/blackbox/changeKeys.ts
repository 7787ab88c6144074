import { MINUTE, SECOND } from "../../../core/shared/Timestamp.ts"
import type { ApiClient } from "./ApiClient.ts"
import type { Receivers } from "./receivers.ts"
import type { Actor, RunContext } from "./RunContext.ts"

const GRACES = [0, 60, 3_600] as const

/** A seller that replaces secrets in mid-flight, and switches receivers off and on. */
export const changeKeys = async (
  { chance: chanceOf, faults, log, time }: RunContext,
  client: ApiClient,
  seller: Actor,
  receivers: Receivers,
  isOver: () => boolean,
): Promise<void> => {
  const chance = chanceOf(`restlessness of ${seller.name}`)
  const [first, ...others] = receivers.endpointsOf(seller)
  if (first === undefined || faults().keys_changed === 0) return
  const switchTo = (id: string, status: string) =>
    client.send({
      who: seller,
      method: "PATCH",
      path: `/v1/webhook-endpoints/${id}`,
      body: { status },
      key: null,
    })
  while (!isOver()) {
    await time.sleep(chance.wait(MINUTE) + SECOND)
    if (isOver() || !chance.hits(faults().keys_changed)) continue
    log.note("keys_changed")
    const id = chance.pick([first, ...others])
    if (chance.hits(0.3)) {
      await switchTo(id, "disabled")
      await time.sleep(chance.wait(MINUTE))
      await switchTo(id, "enabled")
      continue
    }
    const endpoint_id = chance.hits(0.5) ? id : null
    const grace = chance.pick(GRACES)
    const body = { reason: "routine", grace_period_seconds: grace, endpoint_id }
    const path = "/v1/merchant/webhook-secrets/rotate"
    await client.post(seller, path, body, (made) => {
      const { secret } = made as { readonly secret: string }
      receivers.replaced(endpoint_id, seller.name, secret, time.now() + grace * SECOND)
    })
  }
}
