import { serviceNamed } from "../../../simulator/world/Population.ts"
import type { SeenPayment } from "../../../simulator/blackbox/Seen.ts"
import type { PaymentPlan } from "../../../simulator/world/Plan.ts"
import type { Request } from "./Caller.ts"
import { playAftermath } from "./playAftermath.ts"
import { playForger, playPayer } from "./playPayer.ts"
import { playPayee, playProbes } from "./playPayee.ts"
import type { Scene } from "./Scene.ts"
import type { Actor } from "./Stage.ts"

/** Who and what a payment is between. */
interface Parties {
  readonly creator: Actor
  readonly payee: Actor
  readonly buyer: Actor
  readonly service_id: string
}

/** What a payment is marked with: what is bought again is marked the same both times. */
const metadataOf = ({ number, flow, buys_again }: PaymentPlan, run: string, key: string | null) => {
  const order = `${run}-${number}`
  return key === null || (flow === "one_time_pay" && buys_again) ? { order } : { order, key }
}

/** The creation of a payment as a request; `value` may differ from the plan's. */
const creation = (
  { stage }: Scene,
  plan: PaymentPlan,
  { buyer, creator, payee, service_id }: Parties,
  run: string,
  name: string | null,
  value: number,
): Request => {
  const { channel, flow, number } = plan
  const oneTime = flow === "one_time_pay"
  const key = name === null ? null : `${name}-${run}`
  const body = {
    service_id,
    amount: { ...plan.amount, value },
    description: `Payment ${number}`,
    metadata: metadataOf(plan, run, key),
    payer: { agent_id: buyer.agent_id },
    ...(!oneTime && { type: "one_time" }),
    ...(channel !== null && { [oneTime ? "channel" : "payer_channel"]: channel }),
  }
  const parties = {
    account_id: creator.name,
    payee_account_id: payee.name,
    payer_account_id: buyer.name,
  }
  return {
    who: creator,
    method: "POST",
    path: oneTime ? "/v1/payments/one-time" : "/v1/payment-intents",
    body,
    key,
    done: (made, span) => void stage.witness.made(made as SeenPayment, parties, flow, span),
  }
}

const playersOf = (
  scene: Scene,
  plan: PaymentPlan,
  parties: Parties,
  create: (name: string | null, value: number) => Request,
  payment: SeenPayment,
): ReadonlyArray<() => Promise<void>> => {
  const { caller, people, stage } = scene
  const { buyer, payee } = parties
  const { value } = plan.amount
  const tryMore = async () => {
    if (plan.reuses_key) {
      stage.log.note("key_reused_for_another_body")
      await caller.send(create(`order-${plan.number}`, value === 1 ? 2 : value - 1))
    }
    if (plan.buys_again) {
      stage.log.note("bought_again")
      await caller.send(create(`again-${plan.number}`, value))
    }
    if (plan.nosy_stranger && people.stranger !== undefined) {
      await caller.read(people.stranger, payment.id)
    }
  }
  return [
    () => playPayer(scene, plan, buyer, payment),
    () => playPayee(scene, payee, plan.payee, payment),
    () => playProbes(scene, payee, plan.payee, payment),
    () => playAftermath(scene, payee, plan.aftermath, payment),
    () => playForger(scene, plan, payment),
    tryMore,
  ]
}

/** A payment from its creation to the last that anybody does about it. */
export const playPayment = async (scene: Scene, plan: PaymentPlan, run: string): Promise<void> => {
  const { caller, people, stage } = scene
  const service = people.services.get(plan.service)
  const buyer = people.buyers[plan.buyer]
  if (service === undefined || buyer === undefined || serviceNamed(plan.service) === undefined) {
    throw new Error(`Payment ${plan.number} is made by or for nobody who lives here.`)
  }
  const payee = service.seller
  const creator = plan.by === "buyer" ? buyer : payee
  const parties = { creator, payee, buyer, service_id: service.id }
  const create = (name: string | null, value: number) =>
    creation(scene, plan, parties, run, name, value)
  const first = create(plan.keyed ? `order-${plan.number}` : null, plan.amount.value)
  const made = await caller.flood(first, plan.parallel)
  if (made === undefined) return
  const payment = made as SeenPayment
  await stage.time.together(playersOf(scene, plan, parties, create, payment))
  await caller.read(creator, payment.id)
}
