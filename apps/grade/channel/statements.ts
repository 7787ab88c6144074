import { failed, passed } from "../report/Report.ts"
import type { Charge, Fields, Gateway } from "./Gateway.ts"
import { captured } from "./held.ts"
import { type GatewayCheck, PROTOCOL } from "./verdicts.ts"

/** Returns the lines about a charge, from today and yesterday, since it may be midnight. */
const linesOf = async (gateway: Gateway, charge: Charge): Promise<ReadonlyArray<Fields>> => {
  const days = [Date.now() - 86_400_000, Date.now()].map((at) => new Date(at).toISOString())
  const found: Array<Fields> = []
  for (const day of days) {
    let cursor: unknown = ""
    for (let page = 0; page < 100 && typeof cursor === "string"; page += 1) {
      const query = cursor === "" ? {} : { query: { cursor } }
      const path = `/v1/statements/${day.slice(0, 10)}`
      const { fields } = await gateway.send("GET", path, undefined, query)
      const lines = Array.isArray(fields["lines"]) ? (fields["lines"] as Array<Fields>) : []
      found.push(...lines.filter((line) => line["out_trade_no"] === charge.out_trade_no))
      cursor = fields["next"]
    }
  }
  return found
}

/** Checks of a gateway's statements. */
export const STATEMENTS: ReadonlyArray<GatewayCheck> = [
  {
    id: "statement",
    title: "lists each movement once in its statement, with its amount",
    clause: `${PROTOCOL}: GET /v1/statements/{yyyy-mm-dd}`,
    needs: ["capture"],
    judge: captured(async (gateway, charge) => {
      await gateway.request(charge, "refund", 120)
      const lines = await linesOf(gateway, charge)
      const shown = lines
        .map(({ amount, kind }) => `${String(kind)} ${JSON.stringify(amount)}`)
        .sort()
      const { currency } = gateway.options
      const wanted = [
        `payment ${JSON.stringify({ currency, value: charge.value })}`,
        `refund ${JSON.stringify({ currency, value: 120 })}`,
      ]
      if (shown.join() === wanted.join()) return passed
      const advice = "Make the statement of the books: what was taken and refunded on that day."
      return failed(wanted.join(", "), shown.join(", ") || "no line", advice)
    }),
  },
]
