import { failed, passed, type Verdict } from "../report/Report.ts"
import type { Charge, Gateway } from "./Gateway.ts"
import { captured } from "./held.ts"
import { type GatewayCheck, heard, ONE_EFFECT, PROTOCOL } from "./verdicts.ts"

const COPIES = 8

const refunded = async (gateway: Gateway, charge: Charge, value: number): Promise<Verdict> => {
  const found = await gateway.look(charge)
  if (found.fields["refunded"] === value) return passed
  const advice = "Find the number before anything moves, in one step that only one can win."
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
      return refunded(gateway, charge, 50)
    }),
  },
  {
    id: "refund",
    title: "refunds twice under two numbers, and says how much has gone back",
    clause: `${PROTOCOL}: refunded is how much of what was taken has gone back`,
    needs: ["capture"],
    judge: captured(async (gateway, charge) => {
      await gateway.request(charge, "refund", 100)
      await gateway.request(charge, "refund", 100)
      return refunded(gateway, charge, 200)
    }),
  },
]
