import { Effect } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import { discoverListings } from "../../core/listings/discoverListings.ts"
import { getServiceHeld } from "../../core/listings/notHeld.ts"
import { settlePayment } from "../../adapters/http/x402/settle.ts"
import { listResource, removeListing } from "../../core/listings/ownListings.ts"
import { MINUTE, SECOND, type Timestamp } from "../../core/shared/Timestamp.ts"
import { listingRules, listings as known, NOTICED_WITHIN } from "../auditor/invariants/listings.ts"
import { NO_FAULTS } from "../faults/Faults.ts"
import type { Chance } from "../random/Chance.ts"
import { SERVICES } from "../world/people/Population.ts"
import type { Part, Scene } from "../world/Stage.ts"
import { payShown } from "./payShown.ts"
import { begin } from "./provenPayments.ts"

/** A resource that a seller sells at its own address. */
interface Shop {
  readonly seller: Caller
  readonly service_id: string
  readonly resource: string
  readonly currency: string
  readonly chance: Chance
  /** Its listed price, in minor units. */
  price: number
  /** The time of its last change. */
  since: Timestamp
}

/** How many shops there are, of different sellers. */
const SHOPS = 2

/** With larger clock errors, hours of probes would be needed to check times. */
const JUDGED_UP_TO = 5 * MINUTE

/** How often each shop changes while there are faults. */
const TURNS = 4

const asks = ({ shops, stage }: Scene, shop: Shop, value: number | null) =>
  Effect.sync(() => {
    shop.since = stage.now()
    const { currency, resource, service_id: pay_to } = shop
    shops.ask(resource, value === null ? null : { pay_to, amount: { currency, value } })
  })

const list = (scene: Scene, shop: Shop, value: number) => {
  const { currency, resource, seller, service_id } = shop
  shop.price = value
  shop.since = scene.stage.now()
  const body = { service_id, resource, amount: { currency, value } }
  const verb = listResource(seller, body)
  const route = "POST /v1/x402/listings"
  return scene.client.send({ caller: seller, route, body, key: null, status: 201, verb })
}

/** Pays for the resource as a buyer; the seller's server declares it with the verification. */
const sell = Effect.fnUntraced(function* (scene: Scene, shop: Shop) {
  const { client, people, stage } = scene
  const { chance, currency, price, resource, seller, service_id } = shop
  const bound = { service_id, resource, amount: { currency, value: price } }
  const asBuyer = { buyer: people.buyers[1], key: `pays at ${resource}` }
  const made = yield* begin(scene, seller, bound, asBuyer)
  if (made === undefined) return
  yield* payShown(scene, made, chance, 1)
  yield* Effect.sleep(5 * SECOND)
  const required = {
    scheme: "exact",
    network: "payport:sandbox",
    amount: String(price),
    asset: currency,
    payTo: service_id,
    maxTimeoutSeconds: 3_600,
    extra: { resource },
  }
  const payload = { payment_intent: made.id, token: made.token }
  const extensions = { bazaar: { info: { input: { type: "http", method: "GET" } } } }
  const body = {
    x402Version: 2,
    paymentPayload: { x402Version: 2, accepted: required, payload, extensions },
    paymentRequirements: required,
  }
  shop.since = stage.now()
  const verb = settlePayment(seller, body)
  const key = `settles at ${resource}`
  yield* client.send({ caller: seller, route: "POST /v1/x402/settle", body, key, verb })
})

/** How often a seller tries while there are faults: perhaps no process has a right clock. */
const TRIES = 12

/** Removes the listing as the seller, with several tries; then nobody probes it any more. */
const remove = Effect.fnUntraced(function* (
  scene: Scene,
  { resource, seller }: Shop,
  tries: number,
) {
  const { auditor, client } = scene
  for (let left = tries; left > 0; left -= 1) {
    const id = auditor.model.know(known).of(resource)?.id
    if (id === undefined) return
    const route = `DELETE /v1/x402/listings/${id}`
    const verb = removeListing(seller, id)
    yield* client.send({ caller: seller, route, body: {}, key: null, verb })
    yield* Effect.sleep(5 * SECOND)
  }
})

/** Searches the listings as a buyer, and reads what a service says about them. */
const discover = Effect.fnUntraced(function* (scene: Scene, shop: Shop) {
  const { auditor, client, people, stage } = scene
  const [buyer] = people.buyers
  if (buyer === undefined) return
  const isCalm = stage.faults() === NO_FAULTS
  const noticed = stage.now() - NOTICED_WITHIN - 2 * auditor.model.clocksOff
  const verb = Effect.gen(function* () {
    const { data } = yield* discoverListings({ limit: 50, offset: 0 })
    const service = yield* getServiceHeld(buyer, shop.service_id)
    const not_held = "not_held" in service ? service.not_held : []
    auditor.see("discovered", shop.resource, {
      shown: data.map(({ listing: { amount, resource, standing } }) => ({
        resource,
        standing,
        amount,
      })),
      not_held: not_held.map(({ resource }) => resource),
      known_by_now: isCalm && shop.since < noticed ? [shop.resource] : [],
    })
  })
  yield* client.call(buyer, "GET /v1/x402/discovery/resources", undefined, verb)
})

/** Changes the shop: it stops answering, changes its price, lists its price, or returns. */
const change = Effect.fnUntraced(function* (scene: Scene, shop: Shop) {
  const { chance } = shop
  const other = chance.int(100, 900)
  switch (chance.pick(["silent", "dearer", "relisted", "good"])) {
    case "silent":
      return yield* asks(scene, shop, null)
    case "dearer":
      return yield* asks(scene, shop, other)
    case "relisted":
      yield* asks(scene, shop, other)
      yield* list(scene, shop, other)
      return
    case "good":
      return yield* asks(scene, shop, shop.price)
  }
})

/** Plays the time with faults: the shop opens, changes, and is removed from the list. */
const trade = Effect.fnUntraced(function* (scene: Scene, shop: Shop) {
  const { chance } = shop
  yield* Effect.sleep(chance.wait(MINUTE))
  yield* asks(scene, shop, shop.price)
  yield* chance.hits(0.5) ? sell(scene, shop) : list(scene, shop, shop.price)
  for (let turn = 0; turn < TURNS; turn += 1) {
    yield* Effect.sleep(chance.wait(MINUTE))
    yield* change(scene, shop)
    yield* discover(scene, shop)
  }
  yield* remove(scene, shop, TRIES)
})

/**
 * When the faults have ended, checks that each change is noticed in time. The second shop opens
 * when the first stops answering, so that one is good while the other is not.
 */
const rest = Effect.fnUntraced(function* (scene: Scene, shop: Shop, nth: number) {
  const { chance } = shop
  const noticed = NOTICED_WITHIN + 2 * scene.auditor.model.clocksOff
  const settled = () =>
    Effect.andThen(
      Effect.sleep(noticed + chance.int(1, SECOND)),
      Effect.suspend(() => discover(scene, shop)),
    )
  yield* Effect.sleep(nth * noticed)
  yield* asks(scene, shop, shop.price)
  yield* list(scene, shop, shop.price)
  yield* settled()
  yield* asks(scene, shop, chance.hits(0.5) ? null : shop.price + 1)
  yield* settled()
  yield* asks(scene, shop, shop.price)
  yield* settled()
  yield* remove(scene, shop, Infinity)
})

/** By scene: its shops. */
const everyShop = new WeakMap<Scene["people"], ReadonlyArray<Shop>>()

const shopsOf = (scene: Scene): ReadonlyArray<Shop> => {
  const { people, stage } = scene
  const before = everyShop.get(people)
  if (before !== undefined) return before
  const plans = SERVICES.filter(
    (plan, n) => SERVICES.findIndex((one) => one.seller === plan.seller) === n,
  )
  const shops = plans.slice(0, SHOPS).flatMap((plan, n): ReadonlyArray<Shop> => {
    const seller = people.sellers[plan.seller]
    const service_id = people.services.get(plan.name)
    if (seller === undefined || service_id === undefined) return []
    const chance = stage.chance(`shop ${n}`)
    return [
      {
        seller,
        service_id,
        resource: `https://shop-${n}.example/reports`,
        currency: plan.currencies[0],
        chance,
        price: chance.int(100, 900),
        since: stage.now(),
      },
    ]
  })
  everyShop.set(people, shops)
  return shops
}

/** Shops at their own addresses, which are listed, stop answering and change their prices. */
export const listedShops: Part = {
  name: "listed shops",
  heavy: 0.1,
  large: 0.4,
  rules: listingRules,
  knowledge: [known],
  errands: (scene) => shopsOf(scene).map((shop) => trade(scene, shop)),
  later: (scene) =>
    scene.auditor.model.clocksOff > JUDGED_UP_TO
      ? shopsOf(scene).map((shop) => remove(scene, shop, Infinity))
      : shopsOf(scene).map((shop, nth) => rest(scene, shop, nth)),
}
