import { failed, passed } from "../report/Report.ts"
import type { BuyerCheck } from "./Buyer.ts"
import { deciding } from "./hostilities.ts"
import { paidNothing, type Part, playing } from "./verdicts.ts"

const says =
  (done: boolean, advice: string): Part =>
  ({ said }) =>
    said?.done === done
      ? passed
      : failed(
          done ? "it says that the money came" : "it says that the money did not come",
          done ? "it says that it did not" : "it says that it did",
          advice,
        )

const LOOK = "Look at the refund of the request: that it was approved is not that it has succeeded."
const nothing = paidNothing("Asking money back costs nothing: make no payment.")

/** Checks of an agent that requests refunds. */
export const REFUNDS: ReadonlyArray<BuyerCheck> = [
  {
    id: "refund",
    title: "asks a payment back, and says that the money came",
    clause: "Refund requests: approved, and the refund succeeds",
    judge: playing({ kind: "refund", hostility: deciding("approve") }, [nothing, says(true, LOOK)]),
  },
  {
    id: "refund-declined",
    title: "does not say that money came that was declined",
    clause: "Refund requests: the payee decides",
    needs: ["refund"],
    judge: playing({ kind: "refund", hostility: deciding("decline") }, [
      nothing,
      says(false, LOOK),
    ]),
  },
  {
    id: "refund-failed",
    title: "does not say that money came whose refund has failed",
    clause: "Refund requests: approved says what the payee did; the channel may still reject it",
    needs: ["refund"],
    judge: playing({ kind: "refund", hostility: deciding("fail") }, [nothing, says(false, LOOK)]),
  },
]
