import { failed, firstFlaw, passed, type Verdict } from "../report/Report.ts"
import type { Charge, Gateway } from "./Gateway.ts"
import { believedEnd, ended, isPending, outcomeOf, STILL_PENDING } from "./ended.ts"
import { captured } from "./held.ts"
import { type GatewayCheck, heard, ONE_EFFECT, PROTOCOL } from "./verdicts.ts"

const COPIES = 8

const ONE_STEP = "Find the number before anything moves, in one step that only one can win."

const refunded = async (
  gateway: Gateway,
  charge: Charge,
  value: number,
  advice = ONE_STEP,
): Promise<Verdict> => {
  const found = await gateway.look(charge)
  if (found.fields["refunded"] === value) return passed
  return failed(`refunded ${value}`, heard(found), advice)
}

/** Checks of a gateway's refunds. */
export const REFUNDS: ReadonlyArray<GatewayCheck> = [
  {
    id: "copies",
    title: `refunds once for ${COPIES} copies of a number that come at once`,
    clause: ONE_EFFECT,
    needs: ["capture"],
    judge: captured(async (gateway, charge) => {
      const number = gateway.number()
      const copies = Array.from({ length: COPIES }, () =>
        gateway.request(charge, "refund", 50, number),
      )
      await Promise.all(copies)
      const last = await outcomeOf(gateway, charge, number)
      if (isPending(last)) return STILL_PENDING
      return refunded(gateway, charge, 50)
    }),
  },
  {
    id: "refund",
    title: "refunds twice under two numbers, and says how much has gone back",
    clause: `${PROTOCOL}: refunded is how much of what was taken has gone back`,
    needs: ["capture"],
    judge: captured(async (gateway, charge) => {
      const one = await ended(gateway, charge, "refund", 100)
      const other = await ended(gateway, charge, "refund", 100)
      if (isPending(one) || isPending(other)) return STILL_PENDING
      return refunded(gateway, charge, 200)
    }),
  },
  {
    id: "refunds-together",
    title: "refunds no more than was taken, however many numbers ask for it",
    clause: `${PROTOCOL}: refunded is how much of what was taken has gone back`,
    needs: ["refund"],
    judge: captured(async (gateway, charge) => {
      const part = Math.ceil(charge.value * 0.6)
      const first = await ended(gateway, charge, "refund", part)
      const second = await ended(gateway, charge, "refund", part)
      const advice = "Hold a refund against what is left of the money, not against all of it."
      return firstFlaw([
        believedEnd(first, { status: "done" }, "Refund a part of what was taken."),
        believedEnd(second, { status: "refused" }, advice),
        await refunded(gateway, charge, part, advice),
      ])
    }),
  },
  {
    id: "refunds-race",
    title: "refunds no more than was taken where several numbers ask at once",
    clause: `${PROTOCOL}: refunded is how much of what was taken has gone back`,
    needs: ["refunds-together"],
    judge: captured(async (gateway, charge) => {
      const part = Math.ceil(charge.value * 0.6)
      const asked = Array.from({ length: COPIES }, () => ended(gateway, charge, "refund", part))
      const ends = await Promise.all(asked)
      if (ends.some(isPending)) return STILL_PENDING
      const advice = "Look at what is left and take it in one step, such as a locked row."
      const done = ends.filter(({ fields }) => fields["status"] === "done").length
      if (done !== 1) return failed("one of them done", `${done} done`, advice)
      return refunded(gateway, charge, part, advice)
    }),
  },
]
