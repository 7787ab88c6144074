import { failed, passed } from "../report/Report.ts"
import { isFields } from "../seller/Terms.ts"
import type { Charge, Fields, Gateway } from "./Gateway.ts"
import { ended, isPending, STILL_PENDING } from "./ended.ts"
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

/** A line's kind and amount, whatever the order of its fields. */
const lineText = ({ amount, kind }: Fields): string => {
  const { currency, value } = isFields(amount) ? amount : {}
  const isAmount = typeof value === "number" && typeof currency === "string"
  return `${String(kind)} ${isAmount ? `${value} ${currency}` : JSON.stringify(amount)}`
}

/** Checks of a gateway's statements. */
export const STATEMENTS: ReadonlyArray<GatewayCheck> = [
  {
    id: "statement",
    title: "lists each movement once in its statement, with its amount",
    clause: `${PROTOCOL}: GET /v1/statements/{yyyy-mm-dd}`,
    needs: ["capture"],
    judge: captured(async (gateway, charge) => {
      const back = await ended(gateway, charge, "refund", 120)
      if (isPending(back)) return STILL_PENDING
      const lines = await linesOf(gateway, charge)
      const shown = lines.map(lineText).sort()
      const { currency } = gateway.options
      const wanted = [`payment ${charge.value} ${currency}`, `refund 120 ${currency}`]
      if (shown.join() === wanted.join()) return passed
      const advice = "Make the statement of the books: what was taken and refunded on that day."
      return failed(wanted.join(", "), shown.join(", ") || "no line", advice)
    }),
  },
]
