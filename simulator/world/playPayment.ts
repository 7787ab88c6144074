import { Effect, type Result } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import { createIntent } from "../../core/payments/createIntent.ts"
import { createOneTime } from "../../core/payments/createOneTime.ts"
import {
  CreateIntentInput,
  CreateOneTimeInput,
  paymentRules,
} from "../../core/payments/IntentInput.ts"
import { decode } from "../../core/shared/Decode.ts"
import type { Failure } from "../../core/shared/Failure.ts"
import type { Request, Shown } from "./Client.ts"
import type { PaymentPlan } from "./Plan.ts"
import { playAftermath } from "./playAftermath.ts"
import { playConfusion } from "./playConfusion.ts"
import { playPayee, playProbes } from "./playPayee.ts"
import { playPayer } from "./playPayer.ts"
import { type Population, serviceNamed } from "./Population.ts"
import type { Scene } from "./Scene.ts"

const decodeIntent = decode(CreateIntentInput, paymentRules)
const decodeOneTime = decode(CreateOneTimeInput, paymentRules)

const decoded = <A>(result: Result.Result<A, Failure>) => Effect.fromResult(result)

/** What a payment is marked with: what is bought again is marked the same both times. */
const metadataOf = ({ number, flow, buys_again }: PaymentPlan, key: string | null) =>
  key === null || (flow === "one_time_pay" && buys_again)
    ? { order: number }
    : { order: number, key }

/** The creation of a payment as a request; `value` may differ from the plan's. */
const creation = (
  plan: PaymentPlan,
  caller: Caller,
  agent: string,
  serviceId: string,
  key: string | null,
  value: number,
): Request => {
  const oneTime = plan.flow === "one_time_pay"
  const common = {
    service_id: serviceId,
    amount: { ...plan.amount, value },
    description: `Payment ${plan.number}`,
    metadata: metadataOf(plan, key),
    payer: { agent_id: agent },
  }
  const body = oneTime
    ? { ...common, ...(plan.channel !== null && { channel: plan.channel }) }
    : {
        ...common,
        type: "one_time",
        ...(plan.channel !== null && { payer_channel: plan.channel }),
      }
  return {
    caller,
    route: oneTime ? "POST /v1/payments/one-time" : "POST /v1/payment-intents",
    body,
    key,
    status: 201,
    optimistic: !oneTime,
    verb: oneTime
      ? Effect.flatMap(decoded(decodeOneTime(body)), (input) => createOneTime(caller, input))
      : Effect.flatMap(decoded(decodeIntent(body)), (input) => createIntent(caller, input)),
  }
}

const chargesOf = ({ network }: Scene, intent: Shown) => {
  const channels =
    intent.channel === null
      ? (intent.channels ?? []).map(({ channel }) => channel)
      : [intent.channel]
  return channels.flatMap((channel) => network.find(channel, intent.id) ?? [])
}

/** What else is tried with a payment that has been made. */
const tryMore = Effect.fnUntraced(function* (
  { client, people, stage }: Scene,
  plan: PaymentPlan,
  create: (key: string | null, value: number) => Request,
  key: string | null,
  intent: Shown,
) {
  const { value } = plan.amount
  if (plan.reuses_key && key !== null) {
    stage.log.note("key_reused_for_another_body")
    yield* client.send(create(key, value === 1 ? 2 : value - 1))
  }
  if (plan.buys_again) {
    stage.log.note("bought_again")
    yield* client.send(create(`again-${plan.number}`, value))
  }
  if (plan.nosy_stranger) yield* client.read(people.stranger, intent.id)
})

const counts = new WeakMap<Population, Map<string, number>>()

/** Every account counts its own orders from 1, so that many of them use the same keys. */
const nextKey = (people: Population, { account }: Caller): string => {
  const known = counts.get(people) ?? new Map<string, number>()
  counts.set(people, known)
  const count = (known.get(account.id) ?? 0) + 1
  known.set(account.id, count)
  return `order-${count}`
}

/** A payment from its creation to the last that anybody does about it. */
export const playPayment = Effect.fnUntraced(function* (scene: Scene, plan: PaymentPlan) {
  const { client, people } = scene
  const payee = people.sellers[serviceNamed(plan.service)?.seller ?? -1]
  const buyer = people.buyers[plan.buyer]
  const serviceId = people.services.get(plan.service)
  if (payee === undefined || buyer === undefined || serviceId === undefined) {
    return yield* Effect.die(`Payment ${plan.number} is made by or for nobody who lives here.`)
  }
  const creator = plan.by === "buyer" ? buyer : payee
  const create = (key: string | null, value: number) =>
    creation(plan, creator, buyer.account.agent_id, serviceId, key, value)
  const key = plan.keyed ? nextKey(people, creator) : null
  const made = yield* client.flood(create(key, plan.amount.value), plan.parallel)
  if (made === undefined) return
  const intent = made as Shown
  yield* Effect.all(
    [
      playPayer(scene, plan.payer, chargesOf(scene, intent)),
      playPayee(scene, payee, plan.payee, intent),
      playProbes(scene, payee, plan.payee, intent),
      playAftermath(scene, payee, plan.aftermath, intent),
      tryMore(scene, plan, create, key, intent),
      playConfusion(scene, plan, chargesOf(scene, intent)),
    ],
    { concurrency: "unbounded", discard: true },
  )
  yield* client.read(creator, intent.id)
})
