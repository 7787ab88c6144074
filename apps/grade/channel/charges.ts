import { failed, firstFlaw } from "../report/Report.ts"
import { believedEnd, ended } from "./ended.ts"
import { believed, type GatewayCheck, heard, isCreated, PROTOCOL } from "./verdicts.ts"

/** Checks of how a gateway stores unpaid charges. */
export const CHARGES: ReadonlyArray<GatewayCheck> = [
  {
    id: "charge-again",
    title: "takes the same charge again",
    clause: `${PROTOCOL}: a charge moves no money and may be sent again`,
    needs: ["charge"],
    judge: async (gateway) => {
      const charge = gateway.draft()
      await gateway.register(charge)
      const advice = "Find the charge by charge_id, and answer as before."
      const again = await gateway.register(charge)
      return isCreated(again)
        ? believed(again, 200, { status: "created" }, advice)
        : failed('status 200, {"status":"created","qr_data":…}', heard(again), advice)
    },
  },
  {
    id: "unknown-number",
    title: "says of an unknown number that it does not know it",
    clause: `${PROTOCOL}: GET /v1/requests/{number}, 404`,
    needs: ["charge"],
    judge: async (gateway) => {
      const found = await gateway.outcome(gateway.draft(), gateway.number())
      return believed(found, 404, {}, "Answer 404, signed: an unsigned one is not believed.")
    },
  },
  {
    id: "unknown-charge",
    title: "says of an unknown charge that it does not know it",
    clause: `${PROTOCOL}: GET /v1/charges/{out_trade_no}, 404`,
    needs: ["charge"],
    judge: async (gateway) => {
      const advice = "Answer 404, signed: an unsigned one is not believed."
      return believed(await gateway.look(gateway.draft()), 404, {}, advice)
    },
  },
  {
    id: "unpaid",
    title: "captures nothing that nobody has paid",
    clause: `${PROTOCOL}: status of a charge`,
    needs: ["charge"],
    judge: async (gateway) => {
      const charge = gateway.draft()
      await gateway.register(charge)
      const looked = await gateway.look(charge)
      const asked = await ended(gateway, charge, "capture", charge.value)
      return firstFlaw([
        believed(looked, 200, { status: "unpaid" }, "A charge is unpaid until its payer acts."),
        believedEnd(asked, { status: "refused" }, "Refuse what cannot be, and say why."),
      ])
    },
  },
]
