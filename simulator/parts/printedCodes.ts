import { Effect } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import { payStaticCode, showStaticCode } from "../../core/hosted/payStaticCode.ts"
import { moveService } from "../../core/registry/moveService.ts"
import { registerService } from "../../core/registry/registerService.ts"
import { MINUTE, SECOND } from "../../core/shared/Timestamp.ts"
import { type Chosen, printedCodeRules, printedCodes } from "../auditor/invariants/printedCodes.ts"
import type { Chance } from "../random/Chance.ts"
import type { Part, Scene } from "../world/Stage.ts"
import { payAndCapture } from "./payShown.ts"

const SERVICE = "Printed on a counter"

const PEOPLE = 8

/** The prices that the seller lists, of which it changes one. */
const AMOUNTS = [450, 500, 1_000] as const

const LABELS = ["Espresso", "Cake"] as const

interface Typed {
  readonly typed: string
  readonly value: number
}

/** What people type, and what that is in yen; the seller takes 100 to 5,000. */
const TYPED: readonly [Typed, ...ReadonlyArray<Typed>] = [
  { typed: "100", value: 100 },
  { typed: " 350 ", value: 350 },
  { typed: "5000", value: 5_000 },
  { typed: "99", value: 99 },
  { typed: "5001", value: 5_001 },
]

const ROUTE = "POST /pay/code/{id}"

interface Counter {
  readonly seller: Caller
  readonly service_id: string
}

const counterOf = ({ people }: Scene): Counter | undefined => {
  const seller = people.sellers[2]
  const service_id = people.services.get(SERVICE)
  return seller === undefined || service_id === undefined ? undefined : { seller, service_id }
}

/** Registers the service, or changes the prices that it has. */
const setPrices = (seller: Caller, chance: Chance) =>
  registerService(seller, {
    name: SERVICE,
    description: "What people buy who scan the code that is printed on a counter.",
    payment_methods: { one_time: true },
    pricing: {
      one_time: LABELS.map((label) => ({ label, currency: "USD", amount: chance.pick(AMOUNTS) })),
      ...(chance.hits(0.7) && {
        open_amount: { currency: "JPY", minimum: 100, maximum: 5_000 },
      }),
    },
    accepted_channels: ["wallet_a", "wallet_b"],
    default_channel: null,
    fallback_channel: null,
    settlement_currency: "USD",
    qr_mode: "static",
    endpoint: "https://seller-2.example/hooks",
    tags: [],
  })

const prepare = Effect.fnUntraced(function* ({ people, stage }: Scene) {
  const seller = people.sellers[2]
  if (seller === undefined) return
  const { id } = yield* setPrices(seller, stage.chance("printed prices"))
  yield* moveService(seller, id, "activate")
  people.services.set(SERVICE, id)
})

/** Changes prices, and closes the counter for a while, as people buy at it. */
const change = Effect.fnUntraced(function* ({ stage }: Scene, { seller, service_id }: Counter) {
  const chance = stage.chance("printed changes")
  yield* Effect.sleep(chance.wait(2 * MINUTE))
  yield* Effect.orDie(setPrices(seller, chance))
  yield* Effect.sleep(chance.wait(2 * MINUTE))
  if (!chance.hits(0.5)) return
  yield* Effect.ignore(moveService(seller, service_id, "pause"))
  yield* Effect.sleep(chance.wait(2 * MINUTE))
  yield* Effect.ignore(moveService(seller, service_id, "resume"))
})

interface Choice extends Chosen {
  readonly typed: string | undefined
}

/** Reads the page of the code, and chooses from what it shows or types an amount. */
const choose = Effect.fnUntraced(function* (scene: Scene, counter: Counter, chance: Chance) {
  const { seller, service_id } = counter
  const { answer } = yield* scene.client.call(seller, ROUTE, undefined, showStaticCode(service_id))
  const { typed, value } = chance.pick(TYPED)
  if (answer === undefined) return undefined
  const { open, prices } = answer
  if (open !== null && chance.hits(0.4)) {
    return { amount: { currency: open.currency, value }, label: undefined, typed } as const
  }
  const listed = prices[chance.int(0, prices.length - 1)]
  if (listed === undefined) return undefined
  const { amount, currency, label } = listed
  return { amount: { currency, value: amount }, label, typed: undefined } as const
})

/** Sends an attempt again until it is answered, as a page does whose answer was lost. */
const attemptOf = Effect.fnUntraced(function* (
  { auditor, client, stage, store }: Scene,
  { seller, service_id }: Counter,
  { typed, ...chosen }: Choice,
  attempt: string,
) {
  const { amount, label = "" } = chosen
  const price = typed === undefined ? { label, amount } : { typed }
  const since = stage.now()
  const chance = stage.chance(attempt)
  for (let time = 0; time < 4; time += 1) {
    const paying = payStaticCode(service_id, { attempt, price })
    const { answer, error, lost } = yield* client.call(seller, ROUTE, attempt, paying)
    if (answer !== undefined || error !== undefined) {
      const payment = answer === undefined ? undefined : yield* store.find("payment_intent", answer)
      const at = stage.now()
      const seen = { service_id, attempt, chosen, since, at, payment, answer, code: error }
      auditor.see("by_code", service_id, seen)
    }
    if (answer !== undefined && !lost && !chance.hits(0.2)) return answer
    yield* Effect.sleep(chance.int(1, 20) * SECOND)
  }
  return undefined
}, Effect.orDie)

const buy = Effect.fnUntraced(function* (scene: Scene, counter: Counter, person: number) {
  const { client, stage } = scene
  const chance = stage.chance(`printed ${person}`)
  const { seller } = counter
  yield* Effect.sleep(chance.wait(4 * MINUTE))
  const choice = yield* choose(scene, counter, chance)
  if (choice === undefined) return
  yield* Effect.sleep(chance.wait(MINUTE))
  const attempt = `${person}-by-a-code-that-is-printed`
  const id = yield* attemptOf(scene, counter, choice, attempt)
  const shown = id === undefined ? undefined : yield* client.read(seller, id)
  if (id === undefined || shown === undefined) return
  yield* payAndCapture(scene, seller, shown, chance, `printed-capture-${person}`)
})

/** People who scan a printed code, and the seller behind it, who changes its prices. */
export const printedCounters: Part = {
  name: "printed codes",
  heavy: 0.15,
  large: 0.5,
  rules: printedCodeRules,
  knowledge: [printedCodes],
  prepare: (scene) => Effect.orDie(prepare(scene)),
  errands: (scene) => {
    const counter = counterOf(scene)
    if (counter === undefined) return []
    const people = Array.from({ length: PEOPLE }, (_, person) => buy(scene, counter, person))
    return [change(scene, counter), ...people]
  },
}
