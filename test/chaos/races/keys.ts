import { openShop, order } from "../shop.ts"
import { randomUUID } from "node:crypto"
import { codeOf, succeed } from "../client.ts"
import { meet, type Target, tally, unless } from "./Target.ts"

/** Creations under one Idempotency-Key: there is one payment, and all answers are the same. */
export const keys: Target = {
  name: "creations under one key",
  open: async (arena) => {
    const shop = await openShop(arena.services[0], arena.endpoint, "Created once")
    return {
      round: async (round) => {
        const description = `created in round ${round}`
        const request = { ...order(shop, description), once: randomUUID() }
        const answers = await meet(arena, () => ["seller", request])
        const again = await succeed(arena.services[1], "seller", request)
        const whole = answers.filter(({ status }) => status === 201)
        const texts = new Set([...whole, again].map(({ text }) => text))
        const others = answers.filter(
          (answer) => answer.status !== 201 && codeOf(answer) !== "IDEMPOTENCY_KEY_IN_PROGRESS",
        )
        const [row] = await arena.server.ask(
          `SELECT count(*)::int AS n FROM payment_intents WHERE description = '${description}'`,
        )
        return [
          ...unless(texts.size === 1, "the answers differ", [...texts]),
          ...unless(others.length === 0, "some were told something else", tally(others)),
          ...unless(row?.["n"] === 1, "there is not one payment", row),
        ]
      },
    }
  },
}
