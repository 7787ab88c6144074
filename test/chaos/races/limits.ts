import { codeOf, succeed } from "../client.ts"
import { openShop, order } from "../shop.ts"
import { verifyAgent } from "./codes.ts"
import { meet, type Target, tally, unless } from "./Target.ts"

/** The number of payments that fit into the limit of each round. */
const FIT = 10

const payment = (shop: string, description: string, agent_id: string, value: number) => ({
  ...order(shop, description, value).body,
  payer: { agent_id },
})

/** Payments that meet a spend cap with room for ten: ten are made. */
export const spendCap: Target = {
  name: "payments under a spend cap",
  open: async (arena) => {
    const shop = await openShop(arena.services[0], arena.endpoint, "Capped")
    return {
      round: async (round) => {
        const cap = { amount: { currency: "USD", value: FIT * (round + 1) }, period: "monthly" }
        const path = `/v1/services/${shop}/installs`
        const body = { spend_cap: cap }
        await succeed(arena.services[round % 2] ?? arena.services[0], "buyer", { path, body })
        const asked = {
          path: "/v1/payments/one-time",
          body: {
            service_id: shop,
            amount: { currency: "USD", value: 1 },
            description: `capped in round ${round}`,
            payer: { agent_id: "demo-buyer" },
          },
        }
        const answers = await meet(arena, () => ["buyer", asked])
        const made = answers.filter(({ status }) => status === 201).length
        const others = answers.filter(
          (answer) => answer.status !== 201 && codeOf(answer) !== "SPEND_CAP_EXCEEDED",
        )
        const counted = await arena.server.ask(
          "SELECT DISTINCT value::int AS value FROM counters WHERE counter LIKE 'install_spend:%'",
        )
        const spent = FIT * (round + 1)
        return [
          ...unless(made === FIT, `${FIT} should have been made`, tally(answers)),
          ...unless(others.length === 0, "some were told something else", tally(others)),
          ...unless(
            counted.length === 1 && counted[0]?.["value"] === spent,
            `${spent} should be counted`,
            counted,
          ),
        ]
      },
    }
  },
}

/** Cents that an agent with a verified address and phone may pay in a day. */
const DAY = 100_000

/** Payments of one agent that meet the limit of its day, with room for ten: ten are made. */
export const dailyLimit: Target = {
  name: "payments under the limit of a day",
  open: async (arena) => {
    const shop = await openShop(arena.services[0], arena.endpoint, "Limited")
    return {
      round: async (round) => {
        const description = `limited in round ${round}`
        const path = "/v1/payment-intents"
        const agent = `agent-of-round-${round}`
        await verifyAgent(arena, agent, round)
        const body = payment(shop, description, agent, DAY / FIT)
        const answers = await meet(arena, () => ["buyer", { path, body }])
        const made = answers.filter(({ status }) => status === 201).length
        const others = answers.filter(
          (answer) => answer.status !== 201 && codeOf(answer) !== "INSUFFICIENT_KYC",
        )
        const [row] = await arena.server.ask(
          `SELECT count(*)::int AS n FROM payment_intents WHERE description = '${description}'`,
        )
        return [
          ...unless(made === FIT, `${FIT} should have been made`, tally(answers)),
          ...unless(others.length === 0, "some were told something else", tally(others)),
          ...unless(row?.["n"] === made, "there is another number of payments", row),
        ]
      },
    }
  },
}
