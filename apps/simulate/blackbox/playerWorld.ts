import { Effect } from "effect"
import type {
  Ending,
  PlayerRequest,
  PlayerWorld,
  WalletCharge,
} from "../../../simulator/players/PlayerWorld.ts"
import { type SeenPayment, type SeenRefund, timeOf } from "../../../simulator/blackbox/Seen.ts"
import { Accesses } from "./Accesses.ts"
import type { Actor, ApiClient, Request, RunContext } from "./ApiClient.ts"
import type { Channels } from "./channels.ts"
import type { Control } from "./Control.ts"
import type { People } from "./populate.ts"
import { uuidv7 } from "uuidv7"
import type { TradeStatus } from "../../../core/gateway/ChannelCallback.ts"
import type { SimulatedAction } from "../../../core/ports/Sandbox.ts"
import type { PayerPlan, PaymentPlan } from "../../../simulator/world/plans/Plan.ts"

type Act = PayerPlan["act"]

const ACTIONS: { readonly [A in Act]?: SimulatedAction } = {
  pays: "pay",
  rejects: "reject",
  lacks_funds: "insufficient_balance",
  is_closed_out: "close",
}

/** A second wallet's message about a charge that the payer also opened. */
const STATUSES: { readonly [A in Act]?: TradeStatus } = {
  pays: "AUTHORIZED",
  scans: "SCANNED",
  rejects: "REJECTED",
}

/** A payment's wallets: the sandbox has one for the first charge, the others send callbacks. */
const walletsOf = (
  { channels, context, control }: Scene,
  who: Actor,
  id: string,
): ReadonlyArray<WalletCharge<never>> => {
  const known = context.witness.payments.get(id)
  if (known === undefined) return []
  const payment = known.acknowledged
  const expires_at = timeOf(payment.expires_at)
  const simulate = (action: SimulatedAction) =>
    Effect.promise(() => {
      known.paid ||= action === "pay"
      return control.simulate(who, id, action)
    })
  const [, ...others] = payment.channels ?? []
  const first: WalletCharge<never> = {
    expires_at,
    open: Effect.as(payment.deeplink === undefined ? simulate("scan") : Effect.void, true),
    decide: (act) => {
      const action = ACTIONS[act]
      return action === undefined ? Effect.void : Effect.asVoid(simulate(action))
    },
  }
  return [
    first,
    ...others.map(({ channel }) => ({
      expires_at,
      open: Effect.succeed(true),
      decide: (act: Act) =>
        Effect.promise(async () => {
          const status = STATUSES[act]
          if (status === undefined) return
          known.paid ||= status === "AUTHORIZED"
          // A charge that the service has closed meanwhile is paid as another trade.
          await channels.say(payment, channel, status, uuidv7())
        }),
    })),
  ]
}

/** Sends a message without the channel's secret that the payment was paid. */
const forge = async (
  { channels, context }: Scene,
  { number, payer }: PaymentPlan,
  id: string,
): Promise<void> => {
  const chance = context.chance(`forger of ${number}`)
  const payment = context.witness.payments.get(id)?.acknowledged
  const channel = payment?.channel ?? payment?.channels?.[0]?.channel
  if (payment === undefined || channel === undefined) return
  await context.time.sleep(chance.wait(payer.scans_after))
  const status = chance.pick<TradeStatus>(["AUTHORIZED", "SUCCESS", "REJECTED"])
  if (chance.hits(context.faults().callback_forged)) {
    await channels.say(payment, channel, status, uuidv7(), "another's signature")
  }
  if (chance.hits(context.faults().callback_tampered)) {
    await channels.say(payment, channel, status, uuidv7(), "a changed body")
  }
}

/** The context of a payment's play. */
interface Scene {
  readonly context: RunContext
  readonly client: ApiClient
  readonly control: Control
  readonly people: People
  readonly channels: Channels
}

/** The statuses after a successful action. */
const DONE: { readonly [E in Ending]: ReadonlyArray<string> } = {
  capture: ["captured", "succeeded"],
  void: ["voided"],
  cancel: ["cancelled"],
}

/** Returns a player's request for HTTP, and reports its response to the witness. */
const requestOf = ({ context }: Scene, asked: PlayerRequest<Actor>): Request => {
  const { body, key, path, who } = asked
  const { witness } = context
  const done: Request["done"] = (answer, span) => {
    if (asked.type === "create") {
      const parties = {
        account_id: who.name,
        payee_account_id: asked.payee.name,
        payer_account_id: asked.buyer.name,
      }
      witness.made(answer as SeenPayment, parties, asked.flow, span)
      return
    }
    const known = witness.payments.get(asked.intent)
    if (asked.type === "refund") {
      const { revoke = null } = body as { readonly revoke?: object }
      known?.revokes.set((answer as SeenRefund).id, revoke)
    } else if (asked.type !== "register") {
      const { status } = answer as SeenPayment
      if (DONE[asked.type].includes(status)) known?.done.add(asked.type)
    }
  }
  return { who, method: "POST", path, body, key, done }
}

/** Makes the actions of players over HTTP. `run` marks what the run makes. */
export const playerWorld = (scene: Scene, run: string): PlayerWorld<Actor, never> => {
  const { client, people, context } = scene
  const { log, time } = context
  const accesses = new Accesses(client, context.witness)
  const send = async (asked: PlayerRequest<Actor>, times: number) => {
    const answer = await client.flood(requestOf(scene, asked), times)
    if (asked.type === "register") accesses.register(asked.who, asked.intent, answer)
    return answer
  }
  return {
    run,
    takesParts: false,
    now: () => time.now(),
    sleep: (millis) => Effect.promise(() => time.sleep(millis)),
    sleepUntil: (at) => Effect.promise(() => time.until(at, true)),
    together: (acts) =>
      Effect.promise(() =>
        time.together(acts.map((act) => () => Effect.runPromise(Effect.asVoid(act)))),
      ),
    log,
    seller: (n) => people.sellers[n],
    buyer: (n) => people.buyers[n],
    stranger: people.stranger,
    orders: new Map(),
    nameOf: ({ name }) => name,
    agentOf: ({ agent_id }) => agent_id,
    serviceId: (name) => people.services.get(name)?.id,
    send: (asked, times = 1) => Effect.promise(() => send(asked, times)),
    read: (who, id) => Effect.promise(() => client.read(who, id)),
    askGates: (who, intent, gates) => Effect.promise(() => accesses.ask(who, intent, gates)),
    chargesOf: (payer, { id }) => walletsOf(scene, payer, id),
    // The sandbox's wallets do not let anybody pay what was refused.
    changesMind: () => false,
    mislead: (plan, { id }) => Effect.promise(() => forge(scene, plan, id)),
    // A run ends days after its last payment, but months before a channel's refund window.
    later: () => undefined,
  }
}
