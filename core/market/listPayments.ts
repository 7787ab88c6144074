import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { saidLine } from "../agents/SafeText.ts"
import { listIntents, listIntentsBy } from "../payments/listIntents.ts"
import { Store } from "../ports/Store.ts"
import { isPublic } from "../registry/ServiceManifest.ts"
import type { MarketInput } from "./MarketInput.ts"
import { paymentLine } from "./Receipt.ts"

const USUALLY_LISTED = 10

/**
 * Lists the caller's payments, newest first, with the names of their services. A key that is
 * restricted to some agents sees the payments that these have made.
 */
export const listPayments = Effect.fn("listPayments")(function* (
  caller: Caller,
  { limit = USUALLY_LISTED, ...query }: MarketInput<"list_payments">,
) {
  const agents = caller.restrictions?.agents
  const asked = { ...query, limit }
  const { data, has_more } = yield* agents === undefined
    ? listIntents(caller, asked)
    : listIntentsBy(caller, agents, asked)
  const ids = [...new Set(data.map(({ service_id }) => service_id))]
  const services = yield* (yield* Store).findMany("service", ids)
  const known = services.filter((one) => one.account_id === caller.account.id || isPublic(one))
  const names = new Map(known.map(({ id, name }) => [id, saidLine(name, 64)]))
  const payments = data.map((payment) => {
    const name = names.get(payment.service_id)
    return { ...paymentLine(payment), ...(name !== undefined && { seller_says: { name } }) }
  })
  const last = data.at(-1)?.id
  const more = has_more ? ` There are more: call again with starting_after ${last}.` : ""
  return { payments, next: `get_payment returns a payment's link and refund.${more}` }
})
