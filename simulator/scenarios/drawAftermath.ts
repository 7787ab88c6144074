import { DAY, MINUTE, SECOND } from "../../core/shared/Timestamp.ts"
import type { Chance } from "../random/Chance.ts"
import type { AccessPlan, AftermathPlan, RefundPlan } from "../world/plans/Plan.ts"
import type { ServicePlan } from "../world/people/Population.ts"
import type { PayeePersona } from "./Persona.ts"

const TYPES = ["access_token", "session", "license_key"] as const

const drawAccess = (chance: Chance, name: string): AccessPlan => ({
  type: chance.pick(TYPES),
  name,
  scope: chance.hits(0.3) ? chance.pick(["all", "read:summary", "read:full"]) : null,
})

/** What a refund revokes: of what was bought, of what nobody registered, and now and then twice. */
const drawRevokes = (
  chance: Chance,
  items: AftermathPlan["items"],
  number: number,
): RefundPlan["revokes"] => {
  if (chance.hits(0.4)) return "by_policy"
  if (chance.hits(0.2)) return "nothing"
  const unheard = drawAccess(chance, `unheard-${chance.hits(0.2) ? "shared" : number}`)
  const named = items.map(({ name, type }) => ({ ...drawAccess(chance, name), type }))
  return chance.hits(0.5) ? [...named, unheard] : named.length > 0 ? named : [unheard]
}

const drawRefund = (
  chance: Chance,
  items: AftermathPlan["items"],
  number: number,
  several: () => boolean,
): RefundPlan => ({
  after: chance.wait(MINUTE),
  share: chance.hits(0.8) ? chance.pick([0.01, 0.1, 0.25, 1 / 3, 0.5, 0.75, 0.999]) : null,
  parallel: several() ? chance.int(2, 6) : 1,
  keyed: chance.hits(0.8),
  revokes: drawRevokes(chance, items, number),
})

/** More small parts than some channels allow. */
const drawParts = (chance: Chance): ReadonlyArray<RefundPlan> => {
  const part = { share: 0.01, parallel: 1, keyed: false, revokes: "by_policy" } as const
  return Array.from({ length: chance.int(9, 13) }, () => ({ ...part, after: chance.wait(SECOND) }))
}

/** Around the end of a channel's window, within a moment or within days. */
const drawLate = (chance: Chance): number =>
  chance.hits(0.4) ? chance.int(-1, 1) : chance.int(-DAY, 2 * DAY)

/** The channel with the lowest limit of partial refunds. */
const STRICT = "bank_qr_a"

/** What becomes of a payment that was paid. */
export const drawAftermath = (
  chance: Chance,
  number: number,
  service: ServicePlan,
  persona: PayeePersona,
  hurried: () => boolean,
): AftermathPlan => {
  const several = () => hurried() || chance.hits(persona.refund_races)
  const asks_after = chance.wait(10 * SECOND)
  if (!chance.hits(persona.refunds)) return { items: [], refunds: [], late: null, asks_after }
  const items = Array.from({ length: chance.int(0, 3) }, (_, n) => {
    const { name, type } = drawAccess(chance, `item-${number}-${n}`)
    return { name, type }
  })
  const draw = () => drawRefund(chance, items, number, several)
  if (chance.hits(0.2)) {
    const refunds = chance.hits(0.5) ? [draw()] : []
    return { items, refunds, late: { by: drawLate(chance), refund: draw() }, asks_after }
  }
  const refunds = chance.hits(service.accepted_channels.includes(STRICT) ? 0.5 : 0.1)
    ? drawParts(chance)
    : Array.from({ length: chance.int(1, 4) }, draw)
  return { items, refunds, late: null, asks_after }
}
