import { Cause, Effect, Exit, Option } from "effect"
import { closeSession } from "../../core/challenges/closeSession.ts"
import { drawSession } from "../../core/challenges/drawSession.ts"
import { redeemProof } from "../../core/challenges/redeemProof.ts"
import { createRefund } from "../../core/refunds/createRefund.ts"
import { isFailure } from "../../core/shared/Failure.ts"
import { MINUTE, SECOND } from "../../core/shared/Timestamp.ts"
import { sessionRules, sessions as known } from "../auditor/invariants/sessions.ts"
import type { Chance } from "../random/Chance.ts"
import { atOnce } from "../world/atOnce.ts"
import { type ServicePlan, SERVICES } from "../world/people/Population.ts"
import type { Part, Scene } from "../world/Stage.ts"
import { payShown } from "./payShown.ts"
import { begin, type Proven } from "./provenPayments.ts"

/** A deposit, and what its buyer knows to have drawn. */
interface Prepaid extends Proven {
  readonly price: number
  /** In minor units; the error for a sum that was already drawn says how much is drawn. */
  drawn: number
  /** How many seconds after the last draw it is closed automatically. */
  readonly idle_seconds: number
  readonly chance: Chance
}

/** How many requests a buyer makes at most: more than the deposit allows. */
const REQUESTS = 6

/** By scene: every session that was begun. */
const everySession = new WeakMap<Scene["people"], Array<Prepaid>>()

const drawnIn = (exit: Exit.Exit<unknown, unknown>): number | undefined => {
  const error = Exit.isFailure(exit)
    ? Option.getOrUndefined(Cause.findErrorOption(exit.cause))
    : undefined
  const { drawn } = ((isFailure(error) ? error.details : undefined) ?? {}) as {
    readonly drawn?: unknown
  }
  return typeof drawn === "number" ? drawn : undefined
}

/** Sends a request that raises the total to this sum. */
const draw = (scene: Scene, session: Prepaid, spent: number, key: string | null) => {
  const { auditor, client, doors } = scene
  const { bound, id, price, seller, token } = session
  const body = { ...bound, token, price, spent }
  const verb = Effect.suspend(() => {
    const since = auditor.model.step
    return Effect.onExit(drawSession(seller, id, body), (exit) =>
      Effect.sync(() => {
        const view = Exit.isSuccess(exit) ? exit.value : undefined
        session.drawn = view?.drawn.value ?? drawnIn(exit) ?? session.drawn
        if (!doors.session(view !== undefined)) return
        auditor.see("passed", id, { payment_intent: id, door: "session" })
        const told = view && { drawn: view.drawn.value, left: view.left.value }
        auditor.see("drew", id, { payment_intent: id, spent, told, since })
      }),
    )
  })
  const route = `POST /v1/payment-challenges/${id}/draw`
  return client.send({ caller: seller, route, body, key, verb })
}

const close = ({ client }: Scene, { bound, id, seller, token }: Prepaid, key: string | null) => {
  const body = { ...bound, token }
  const route = `POST /v1/payment-challenges/${id}/close`
  return client.send({ caller: seller, route, body, key, verb: closeSession(seller, id, body) })
}

/** Shows the deposit like a payment for a single use. */
const redeem = (scene: Scene, { bound, id, seller, token }: Prepaid) => {
  const { auditor, client, doors } = scene
  const body = { ...bound, token }
  const verb = Effect.tap(redeemProof(seller, id, body), () =>
    Effect.sync(() => {
      if (doors.own(true)) auditor.see("passed", id, { payment_intent: id, door: "own" })
    }),
  )
  const route = `POST /v1/payment-challenges/${id}/redeem`
  return client.send({ caller: seller, route, body, key: null, verb })
}

/** Sends a request, perhaps to several servers at once, with other questions at the same time. */
const request = (scene: Scene, session: Prepaid, n: number) => {
  const { chance, id, price } = session
  const next = session.drawn + price
  const key = (what: string) => (chance.hits(0.3) ? `${what} ${n} ${id}` : null)
  const times = chance.hits(0.4) ? chance.int(2, 3) : 1
  const acts = Array.from({ length: times }, (_, time) =>
    draw(scene, session, next, key(`draws ${time}`)),
  )
  if (chance.hits(0.15)) acts.push(draw(scene, session, next + price, null))
  if (chance.hits(0.1)) acts.push(close(scene, session, key("closes")))
  if (chance.hits(0.15)) acts.push(redeem(scene, session))
  return atOnce(acts)
}

/** Refunds the rest as the seller, if the channel has not returned it. */
const giveBack = ({ auditor, client }: Scene, { bound, id, seller }: Prepaid) => {
  const { model } = auditor
  const { closed, drawn } = model.know(known).of(id)
  const books = model.booksOf(id)
  const value = books.taken - drawn
  const isBack = model.refundsOf(id).some(({ status }) => status !== "failed")
  if (closed === undefined || isBack || value <= 0) return Effect.void
  const body = { payment_intent: id, amount: { currency: bound.amount.currency, value } }
  const verb = createRefund(seller, body)
  const key = `gives back ${id}`
  return client.send({ caller: seller, route: "POST /v1/refunds", body, key, status: 201, verb })
}

/** Waits until the session closes automatically. */
const leave = (scene: Scene, session: Prepaid) =>
  Effect.gen(function* () {
    yield* Effect.sleep(session.idle_seconds * SECOND + 5 * MINUTE)
    yield* Effect.suspend(() => giveBack(scene, session))
  })

/** When the faults have ended, draws once more, closes, and checks that nothing can be drawn. */
const end = (scene: Scene, session: Prepaid) =>
  Effect.gen(function* () {
    const { id, price } = session
    const next = () => draw(scene, session, session.drawn + price, null)
    // The first response says what was drawn; the second request is the next one.
    yield* Effect.andThen(next(), Effect.suspend(next))
    yield* atOnce([close(scene, session, `closes ${id} at last`), close(scene, session, null)])
    yield* Effect.suspend(next)
    yield* Effect.sleep(MINUTE)
    yield* Effect.suspend(() => giveBack(scene, session))
  })

const open = Effect.fnUntraced(function* (scene: Scene, n: number, plan: ServicePlan) {
  const { people, stage } = scene
  const chance = stage.chance(`session ${n}`)
  const seller = people.sellers[plan.seller]
  const service_id = people.services.get(plan.name)
  if (seller === undefined || service_id === undefined) return
  yield* Effect.sleep(chance.wait(MINUTE))
  const price = chance.int(10, 200)
  const value = price * chance.int(2, 4) + chance.int(0, price - 1)
  const amount = { currency: plan.currencies[0], value }
  const bound = { service_id, amount, resource: `GET /metered/${n}` }
  const idle_seconds = chance.int(60, 300)
  const asSeller = { buyer: undefined, key: `deposits ${n}`, idle_seconds }
  const made = yield* begin(scene, seller, bound, asSeller)
  if (made === undefined) return
  const session: Prepaid = { ...made, price, drawn: 0, idle_seconds, chance }
  everySession.set(people, [...(everySession.get(people) ?? []), session])
  yield* payShown(scene, session, chance, 0.95)
  for (let turn = 0; turn < REQUESTS; turn += 1) {
    yield* Effect.sleep(chance.wait(15 * SECOND))
    yield* request(scene, session, turn)
  }
  if (chance.hits(0.5)) yield* close(scene, session, `closes ${session.id}`)
  scene.later.push(chance.hits(0.3) ? leave(scene, session) : end(scene, session))
})

/** Services whose deposits one channel takes, and refunds in parts. */
const METERED = SERVICES.filter(({ default_channel }) => default_channel !== null)

/** Sessions of many small requests, each of which draws its price from one deposit. */
export const prepaidSessions: Part = {
  name: "prepaid sessions",
  heavy: 0.1,
  large: 0.5,
  rules: sessionRules,
  knowledge: [known],
  errands: (scene) => METERED.map((plan, n) => open(scene, n, plan)),
  inspect: ({ auditor, people }) =>
    Effect.sync(() => {
      for (const { id } of everySession.get(people) ?? []) {
        auditor.see("session_at_rest", id, { payment_intent: id })
      }
    }),
}
