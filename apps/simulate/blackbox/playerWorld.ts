import { Effect } from "effect"
import type { Ending, PlayerRequest, PlayerWorld } from "../../../simulator/players/PlayerWorld.ts"
import type { SeenPayment, SeenRefund } from "../../../simulator/blackbox/Seen.ts"
import { Accesses } from "./Accesses.ts"
import type { ApiClient, Request } from "./ApiClient.ts"
import type { Channels } from "./channels.ts"
import type { People } from "./populate.ts"
import type { Actor, RunContext } from "./RunContext.ts"
import { forge, walletsOf } from "./wallets.ts"

/** What a payment's story is played with. */
export interface Scene {
  readonly context: RunContext
  readonly client: ApiClient
  readonly people: People
  readonly channels: Channels
}

/** What an action is answered with where it was done. */
const DONE: { readonly [E in Ending]: ReadonlyArray<string> } = {
  capture: ["captured", "succeeded"],
  void: ["voided"],
  cancel: ["cancelled"],
}

/** A player's request as it is sent, with what its answer tells the witness. */
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

/** What those who play payments can do over HTTP. `run` marks what the run makes. */
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
    // The sandbox's wallets let nobody pay what was refused.
    changesMind: () => false,
    mislead: (plan, { id }) => Effect.promise(() => forge(scene, plan, id)),
    // A run ends days after its last payment, and months before a channel's refund window does.
    later: () => undefined,
  }
}
