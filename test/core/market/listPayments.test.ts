import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { listPayments } from "../../../core/market/listPayments.ts"
import { Store } from "../../../core/ports/Store.ts"
import { anIntent, id } from "../../support/records.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { as, buyer, codeOf, seed, world } from "../../support/world.ts"

const OF_OTHERS = 700

/** Two old payments of one agent, and many newer ones of another agent of the same account. */
const seedPayments = Effect.gen(function* () {
  yield* seed()
  const made = (n: number, agent_id: string) => {
    const intent = anIntent({ n, account_id: buyer.id })
    const record = { ...intent, payer: { ...intent.payer, agent_id } }
    return { op: "insert", kind: "payment_intent", record } as const
  }
  const others = Array.from({ length: OF_OTHERS }, (_, n) => made(n + 3, "busy"))
  yield* (yield* Store).commit({ writes: [made(1, "rare"), made(2, "rare"), ...others] })
})

const narrow = (...agents: ReadonlyArray<string>) => ({ ...as(buyer), restrictions: { agents } })
const idsOf = ({ payments }: { readonly payments: ReadonlyArray<{ payment_id: string }> }) =>
  payments.map(({ payment_id }) => payment_id)

it.effect("a key of an agent lists its payments, however many newer ones others have", () =>
  Effect.gen(function* () {
    yield* seedPayments
    const all = yield* listPayments(narrow("rare"), {})
    expect(idsOf(all)).toEqual([id("pi", 2), id("pi", 1)])
    expect(all.next).not.toContain("starting_after")
    const first = yield* listPayments(narrow("rare"), { limit: 1 })
    expect(idsOf(first)).toEqual([id("pi", 2)])
    expect(first.next).toContain(`starting_after ${id("pi", 2)}`)
    const rest = yield* listPayments(narrow("rare"), { limit: 1, starting_after: id("pi", 2) })
    expect(idsOf(rest)).toEqual([id("pi", 1)])
    expect(rest.next).not.toContain("starting_after")
    expect((yield* listPayments(narrow("nobody"), {})).payments).toEqual([])
  }).pipe(Effect.provide(world(makeScript()))),
)

it.effect("every payment is reached page by page", () =>
  Effect.gen(function* () {
    yield* seedPayments
    const found: Array<string> = []
    for (let last: string | undefined; ; last = found.at(-1)) {
      const after = last === undefined ? {} : { starting_after: last }
      const page = yield* listPayments(as(buyer), { limit: 50, ...after })
      found.push(...idsOf(page))
      if (!page.next.includes("starting_after")) break
    }
    expect(new Set(found).size).toBe(OF_OTHERS + 2)
    const beside = listPayments(as(buyer), { starting_after: id("pi", 9_999) })
    expect(yield* codeOf(beside)).toBe("INVALID_QUERY")
  }).pipe(Effect.provide(world(makeScript()))),
)
