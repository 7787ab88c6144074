import { refundOf, usual } from "./refunds.ts"
import { type Clause, want } from "./verdicts.ts"
import { read, Revoking } from "./Wire.ts"

/** What a partial refund revokes: the part of 100, and the scope. */
const SCOPES = [
  [25, "read:summary"],
  [26, "read:detail"],
  [50, "read:detail"],
  [51, "read:full"],
  [75, "read:full"],
  [76, "all"],
] as const

/** Checks of what refunds revoke. */
export const SCOPED: ReadonlyArray<Clause> = [
  {
    id: "refund-scopes",
    title: "revokes the scope of a refund's share",
    clause: "Refunds and revocations: scope mapping for partial refunds",
    needs: ["refund-part"],
    hold: async (service) => {
      for (const [value, scope] of SCOPES) {
        const { id } = await service.succeeded(100)
        const target = { type: "access_token", id: `tok_${service.chance.hex(16)}` }
        const revoke = { targets: [target] }
        const reply = await service.refund(id, { amount: usual(service, value), revoke })
        refundOf(reply)
        const found = read(Revoking, reply.json)
        const scopes = "found" in found ? found.found.revocations.map((one) => one.scope) : []
        const advice = "Compare the whole numbers: four times the refund with the amount."
        want(scopes.join() === scope, `${value} %: ${scope}`, scopes.join() || "none", advice)
      }
    },
  },
]
