import { Cause, Effect, Exit, Option } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import { appeal, reviewAppeal } from "../../core/kyc/reviews/appeals.ts"
import type { VerifyInput } from "../../core/kyc/verifications/Submission.ts"
import { verify } from "../../core/kyc/verifications/verify.ts"
import { isFailure } from "../../core/shared/Failure.ts"
import { MINUTE, SECOND } from "../../core/shared/Timestamp.ts"
import type { Shown as ShownPayment } from "../players/PlayerWorld.ts"
import type { Chance } from "../random/Chance.ts"
import { textOf } from "../world/people/Client.ts"
import type { Scene, Services } from "../world/Stage.ts"
import { CurrentOperator } from "../../core/audit/CurrentOperator.ts"
import { openVerification } from "../../core/kyc/reviews/openCase.ts"
import { reviewVerification } from "../../core/kyc/reviews/reviewVerification.ts"
import { CurrentCause } from "../world/ports/CurrentCause.ts"
import { createIntent } from "../../core/payments/createIntent.ts"
import { voidIntent } from "../../core/payments/endIntent.ts"
import { RANKS } from "../auditor/Identities.ts"
import { atOnce } from "../world/atOnce.ts"
import { payShown } from "./payShown.ts"

/** The limit of each level for one payment, in cents. */
const LIMITS = [1_000, 10_000, 100_000, 1_000_000] as const

/** The service that all climbers pay. */
const SERVICE = "Two wallets to choose from"

/** Makes several payments at once, up to the limit of some level; some of them are cancelled. */
export const payAtLimit = Effect.fnUntraced(function* (scene: Scene, climber: Climber) {
  const { caller, chance, name } = climber
  const service_id = scene.people.services.get(SERVICE) ?? ""
  const rank = chance.hits(0.5) ? 0 : chance.int(0, RANKS.length - 1)
  const create = () => {
    const value = Math.round((LIMITS[rank] ?? 1) * chance.between(0.7, 1.01))
    const body = {
      service_id,
      type: "one_time",
      amount: { currency: "USD", value },
      description: "Up to the limit",
      payer: { agent_id: name },
    } as const
    return scene.client.send({
      caller,
      route: "POST /v1/payment-intents",
      body,
      key: null,
      status: 201,
      optimistic: true,
      verb: createIntent(caller, body),
    })
  }
  const made = yield* Effect.all(
    Array.from({ length: chance.hits(0.2) ? chance.int(11, 15) : chance.int(2, 5) }, () =>
      Effect.suspend(create),
    ),
    { concurrency: "unbounded" },
  )
  for (const intent of made) {
    if (intent === undefined) continue
    const shown = intent as ShownPayment
    if (!chance.hits(0.2)) {
      scene.stage.spawn(payShown(scene, shown, scene.stage.chance(`pays ${shown.id}`), 0.8))
      continue
    }
    const { id } = shown
    yield* scene.client.send({
      caller,
      route: "POST /v1/payment-intents/{id}/void",
      body: {},
      key: null,
      verb: voidIntent(caller, id),
    })
  }
})

/** An agent that verifies its principal. */
export interface Climber {
  readonly caller: Caller
  readonly name: string
  readonly number: number
  readonly chance: Chance
  /** Its verifications that were rejected. */
  readonly rejected: Array<string>
}

type Level = "basic" | "enhanced" | "business"

/** Returns the contacts of the agent with that number. */
const contactsOf = (number: number) => ({
  email: `planted-${number}@example.com`,
  phone: `+1415555${String(1_000 + number)}`,
})

const dataOf = (level: Level, { chance, number }: Climber): NonNullable<VerifyInput["data"]> => {
  const basic = contactsOf(number)
  if (level === "basic") return basic
  const document_number = `QZ${chance.int(1_000, 9_999)}${chance.hits(0.3) ? "0000" : "1234"}`
  const person = {
    ...basic,
    country: "GB",
    full_name: `Ada planted ${number}`,
    document_type: "passport",
    document_number,
  } as const
  if (level === "enhanced") return person
  return {
    ...person,
    business_name: "planted Ltd",
    registration_number: "planted-1",
    ubo_declaration: { full_name: "Ada planted", ownership_pct: 75 },
  }
}

interface Shown {
  readonly verification_id: string
  readonly status: string
}

const send = (scene: Scene, { caller }: Climber, body: VerifyInput, key: string | null) =>
  scene.client.send({
    caller,
    route: "POST /v1/kyc/verify",
    body,
    key,
    status: 201,
    verb: verify(caller, body),
  })

/** Submits the data that a level needs; returns undefined if it is refused. */
export const submit = Effect.fnUntraced(function* (scene: Scene, climber: Climber, level: Level) {
  const { chance, name, number, rejected } = climber
  const body = { agent_id: name, level, data: dataOf(level, climber) }
  const key = chance.hits(0.5) ? `verify-${number}-${chance.int(0, 1_000_000)}` : null
  const shown = (yield* send(scene, climber, body, key)) as Shown | undefined
  if (shown?.status === "rejected") rejected.push(shown.verification_id)
  return shown
})

/** Answers a code, and shows the result to the auditor. */
const answer = Effect.fnUntraced(function* (
  { auditor, stage }: Scene,
  { caller }: Climber,
  verification_id: string,
  code: string,
) {
  const exit = yield* Effect.exit(verify(caller, { verification_id, otp: code }))
  const at = stage.now()
  if (Exit.isSuccess(exit)) {
    auditor.see("guess", verification_id, { verification_id, code, left: null, at })
    return
  }
  const error = Option.getOrUndefined(Cause.findErrorOption(exit.cause))
  const flaw = isFailure(error) ? undefined : Cause.pretty(exit.cause)
  auditor.see("ending", "POST /v1/kyc/verify", { where: "an answer to a code", flaw })
  if (!isFailure(error)) return
  auditor.see("refusal_text", verification_id, {
    where: "POST /v1/kyc/verify",
    text: textOf(error),
  })
  if (error.code !== "invalid_otp") return
  const { attempts_remaining: left } = error.details as { readonly attempts_remaining: number }
  auditor.see("guess", verification_id, { verification_id, code, left, at })
})

/**
 * Requests a code, guesses, waits for it and answers, sometimes twice at once. Returns the
 * verification's number.
 */
export const becomeBasic = Effect.fnUntraced(function* (scene: Scene, climber: Climber) {
  const { chance } = climber
  const shown = yield* submit(scene, climber, "basic")
  if (shown === undefined) return undefined
  const id = shown.verification_id
  const say = (code: string) => answer(scene, climber, id, code)
  if (chance.hits(0.4)) {
    scene.stage.log.note("codes_guessed")
    const guesses = Array.from({ length: chance.int(1, 12) }, () =>
      say(String(chance.int(0, 999_999)).padStart(6, "0")),
    )
    yield* atOnce(guesses)
  }
  for (let patience = 0; patience < 20; patience += 1) {
    if (scene.post.arrived(id).length > 0) break
    yield* Effect.sleep(chance.int(5, 60) * SECOND)
  }
  for (const code of scene.post.arrived(id).toReversed()) {
    yield* atOnce(chance.hits(0.4) ? [say(code), say(code)] : [say(code)])
  }
  return id
})

const acts = new WeakMap<Scene, number>()

/** Returns how many actions of operators have succeeded. */
export const actsOf = (scene: Scene): number => acts.get(scene) ?? 0

/** Runs an operator's action; returns whether it succeeded. */
export const asOperator = <A, E>(scene: Scene, verb: Effect.Effect<A, E, Services>) =>
  verb.pipe(
    Effect.provideService(CurrentOperator, {
      actor: "operator",
      request_id: "req_simulated",
      one_of_two: null,
    }),
    Effect.provideService(CurrentCause, { type: "client", account: "operator", route: "review" }),
    Effect.exit,
    Effect.map((exit) => {
      if (Exit.isSuccess(exit)) acts.set(scene, actsOf(scene) + 1)
      return Exit.isSuccess(exit)
    }),
  )

/** Decides about a verification as a reviewer. */
const review = Effect.fnUntraced(function* (scene: Scene, id: string, approves: boolean) {
  yield* asOperator(scene, openVerification(id))
  const decision = approves ? "approve" : "reject"
  return yield* asOperator(scene, reviewVerification(id, { decision }))
})

/** Decides about an appeal as a reviewer. */
const decideAppeal = (scene: Scene, id: string, decision: "upheld" | "overturned") =>
  asOperator(scene, reviewAppeal(id, { decision }))

const becomeBusiness = Effect.fnUntraced(function* (scene: Scene, climber: Climber) {
  const { chance, rejected } = climber
  const shown = yield* submit(scene, climber, "business")
  if (shown === undefined) return
  const id = shown.verification_id
  yield* Effect.sleep(chance.wait(2 * MINUTE))
  const approves = chance.hits(0.7)
  if ((yield* review(scene, id, approves)) && !approves) rejected.push(id)
  if (!approves || !chance.hits(0.3)) return
  yield* Effect.sleep(chance.wait(MINUTE))
  if (yield* review(scene, id, false)) rejected.push(id)
})

/** Appeals against one of its rejections; a reviewer then decides about the appeal. */
export const appealAgainst = Effect.fnUntraced(function* (scene: Scene, climber: Climber) {
  const { caller, chance, number, rejected } = climber
  const verification_id = rejected.pop()
  if (verification_id === undefined) return
  const body = { verification_id, reason: "A planted reason." }
  const made = yield* scene.client.send({
    caller,
    route: "POST /v1/kyc/appeal",
    body,
    key: `appeal-${number}-${verification_id}`,
    verb: appeal(caller, body),
  })
  if (made === undefined) return
  const { appeal_id } = made as { readonly appeal_id: string }
  yield* Effect.sleep(chance.wait(MINUTE))
  const decision = chance.hits(0.5) ? "overturned" : "upheld"
  const copies = chance.hits(0.3) ? 2 : 1
  const decide = () => decideAppeal(scene, appeal_id, decision)
  yield* atOnce(Array.from({ length: copies }, decide))
})

/** Plays an agent's actions one after the other: it verifies, appeals and pays. */
export const climb = Effect.fnUntraced(function* (scene: Scene, climber: Climber) {
  const { chance } = climber
  yield* Effect.sleep(chance.wait(30 * SECOND))
  yield* submitEnhanced(scene, climber)
  for (let n = chance.int(4, 8); n > 0; n -= 1) {
    yield* Effect.sleep(chance.wait(30 * SECOND))
    const act = chance.weighted([
      [20, payAtLimit],
      [50, becomeBasic],
      [18, submitEnhanced],
      [17, becomeBusiness],
      [10, appealAgainst],
    ])
    yield* act(scene, climber)
  }
})

const submitEnhanced = (scene: Scene, climber: Climber) =>
  Effect.asVoid(submit(scene, climber, "enhanced"))
