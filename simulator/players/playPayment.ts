import { Effect } from "effect"
import type { PayerPlan, PaymentPlan } from "../world/plans/Plan.ts"
import { serviceNamed } from "../world/people/Population.ts"
import { playAftermath } from "./playAftermath.ts"
import { playPayee, playProbes } from "./playPayee.ts"
import type { PlayerRequest, PlayerWorld, Shown, WalletCharge } from "./PlayerWorld.ts"

const REFUSALS: ReadonlySet<PayerPlan["act"]> = new Set(["rejects", "lacks_funds", "is_closed_out"])

/** How often a payer tries to open a charge while its channel cannot be reached. */
const TRIES = 4

/** Opens a charge, with a pause between the tries. Returns whether one of them succeeded. */
const opens = Effect.fnUntraced(function* <Account, R>(
  world: PlayerWorld<Account, R>,
  charge: WalletCharge<R>,
  pause: number,
) {
  for (let tries = 1; tries < TRIES; tries += 1) {
    if (yield* charge.open) return true
    yield* world.sleep(pause)
  }
  return yield* charge.open
})

/** Plays the payer: opens one charge or all of them, and decides. */
const playPayer = Effect.fnUntraced(function* <Account, R>(
  world: PlayerWorld<Account, R>,
  plan: PayerPlan,
  charges: ReadonlyArray<WalletCharge<R>>,
) {
  if (plan.act === "sleeps") return
  yield* world.sleep(plan.scans_after)
  for (const [n, charge] of charges.entries()) {
    const act = n === 0 ? plan.act : plan.others
    if (act === null) return
    if (!(yield* opens(world, charge, plan.scans_after))) continue
    yield* plan.around_expiry === null
      ? world.sleep(plan.decides_after)
      : world.sleepUntil(charge.expires_at + plan.around_expiry)
    yield* charge.decide(act)
    if (REFUSALS.has(act) && world.changesMind()) {
      // A payer who has refused pays after all, which a channel may take by mistake.
      yield* world.sleep(plan.decides_after)
      yield* charge.decide("pays")
    }
  }
})

/** The parties of a payment, and its service. */
interface Parties<Account> {
  readonly creator: Account
  readonly payee: Account
  readonly buyer: Account
  readonly service_id: string
}

const partiesOf = <Account, R>(
  world: PlayerWorld<Account, R>,
  plan: PaymentPlan,
): Parties<Account> | undefined => {
  const payee = world.seller(serviceNamed(plan.service)?.seller ?? -1)
  const buyer = world.buyer(plan.buyer)
  const service_id = world.serviceId(plan.service)
  return payee === undefined || buyer === undefined || service_id === undefined
    ? undefined
    : { creator: plan.by === "buyer" ? buyer : payee, payee, buyer, service_id }
}

/** Returns a payment's metadata, which is the same if the purchase is repeated. */
const metadataOf = (
  { number, flow, buys_again }: PaymentPlan,
  run: string | null,
  key: string | null,
) => {
  const order = run === null ? number : `${run}-${number}`
  return key === null || (flow === "one_time_pay" && buys_again) ? { order } : { order, key }
}

/** Returns the request that creates a payment; `value` may differ from the plan's. */
const creation = <Account, R>(
  { agentOf, run }: PlayerWorld<Account, R>,
  plan: PaymentPlan,
  { buyer, creator, payee, service_id }: Parties<Account>,
  name: string | null,
  value: number,
): PlayerRequest<Account> => {
  const { channel, flow } = plan
  const oneTime = flow === "one_time_pay"
  const key = name === null || run === null ? name : `${name}-${run}`
  return {
    who: creator,
    path: oneTime ? "/v1/payments/one-time" : "/v1/payment-intents",
    body: {
      service_id,
      amount: { ...plan.amount, value },
      description: `Payment ${plan.number}`,
      metadata: metadataOf(plan, run, key),
      payer: { agent_id: agentOf(buyer) },
      ...(!oneTime && { type: "one_time" }),
      ...(channel !== null && { [oneTime ? "channel" : "payer_channel"]: channel }),
    },
    key,
    type: "create",
    flow,
    payee,
    buyer,
  }
}

/** Tries other requests with a payment that has been made. */
const tryMore = Effect.fnUntraced(function* <Account, R>(
  world: PlayerWorld<Account, R>,
  plan: PaymentPlan,
  create: (key: string | null, value: number) => PlayerRequest<Account>,
  key: string | null,
  intent: Shown,
  buyer: Account,
) {
  const { log, read, send, stranger } = world
  const { value } = plan.amount
  if (plan.reuses_key && key !== null) {
    log.note("key_reused_for_another_body")
    yield* send(create(key, value === 1 ? 2 : value - 1))
  }
  if (plan.buys_again) {
    log.note("bought_again")
    const again = (yield* send(create(`again-${plan.number}`, value))) as Shown | undefined
    if (again !== undefined && again.id !== intent.id) {
      yield* playPayer(world, plan.payer, world.chargesOf(buyer, again))
    }
  }
  if (plan.nosy_stranger && stranger !== undefined) yield* read(stranger, intent.id)
})

/** Returns the next key. Every account counts its orders from 1, so that many use the same keys. */
const nextKey = <Account, R>(
  { nameOf, orders }: PlayerWorld<Account, R>,
  creator: Account,
): string => {
  const count = (orders.get(nameOf(creator)) ?? 0) + 1
  orders.set(nameOf(creator), count)
  return `order-${count}`
}

/** Plays a payment from its creation to the last action on it. */
export const playPayment = Effect.fnUntraced(function* <Account, R>(
  world: PlayerWorld<Account, R>,
  plan: PaymentPlan,
) {
  const parties = partiesOf(world, plan)
  if (parties === undefined) {
    return yield* Effect.die(
      new Error(`Payment ${plan.number} is made by or for nobody who lives here.`),
    )
  }
  const { buyer, creator, payee } = parties
  const create = (key: string | null, value: number) => creation(world, plan, parties, key, value)
  const key = plan.keyed ? nextKey(world, creator) : null
  const made = yield* world.send(create(key, plan.amount.value), plan.parallel)
  if (made === undefined) return
  const intent = made as Shown
  yield* world.together([
    playPayer(world, plan.payer, world.chargesOf(buyer, intent)),
    playPayee(world, payee, plan.payee, intent),
    playProbes(world, payee, plan.payee, intent),
    playAftermath(world, payee, plan.aftermath, intent),
    tryMore(world, plan, create, key, intent, buyer),
    world.mislead(plan, intent),
  ])
  yield* world.read(creator, intent.id)
})
