import { createHash } from "node:crypto"
import { Effect, Result } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import { authenticate } from "../../core/accounts/authenticate.ts"
import type { AuthorizationRequest, AuthorizeInput } from "../../core/oauth/Authorization.ts"
import { authorize } from "../../core/oauth/authorize.ts"
import { registerClient } from "../../core/oauth/clients.ts"
import { createIntent } from "../../core/payments/createIntent.ts"
import { ClientDocuments } from "../../core/ports/ClientDocuments.ts"
import { DAY, HOUR, MINUTE, SECOND, toIso } from "../../core/shared/Timestamp.ts"
import { describedAs } from "../auditor/invariants/budgets.ts"
import { programRules, programs } from "../auditor/invariants/programs.ts"
import { SERVICES } from "../world/people/Population.ts"
import type { Part, Scene } from "../world/Stage.ts"
import {
  type Attempt,
  exchange,
  type Grant,
  RESOURCE,
  type Tokens,
  useToken,
} from "./programUses.ts"

const PROGRAMS = 2

/** How many uses of its tokens a program makes. */
const USES = 7

const RETURNS_TO = "https://program.example/back"

/** A program's own machine, where the port is known only when the program starts. */
const LOCAL = "http://127.0.0.1:8000/back"

type Asked = Pick<AuthorizationRequest, "redirect_uri" | "resource" | "scope">

/** What programs may ask a person for. */
const ASKED: readonly [Asked, ...ReadonlyArray<Asked>] = [
  { redirect_uri: RETURNS_TO, scope: "read pay", resource: RESOURCE },
  { redirect_uri: RETURNS_TO, scope: "pay email", resource: `${RESOURCE}/` },
  { redirect_uri: LOCAL.replace("8000", "9000") },
]

/** What no program may ask for. */
const NOT_TO_ASK: readonly [Asked, ...ReadonlyArray<Asked>] = [
  { redirect_uri: `${RETURNS_TO}/elsewhere` },
  { redirect_uri: LOCAL.replace("back", "other") },
  { redirect_uri: RETURNS_TO, resource: "https://elsewhere.example/mcp" },
  { redirect_uri: RETURNS_TO, scope: "manage" },
]

const TOKEN = "POST /oauth/token"

/** No program of these has a document at its own address. */
const noDocuments: ClientDocuments["Service"] = {
  read: () => Effect.succeed(Result.fail("cannot be read")),
}

const challengeOf = (verifier: string): string =>
  createHash("sha256").update(verifier).digest("base64url")

/**
 * Makes attempts at once, and shows the auditor their answers. Returns undefined if one has no
 * answer: nobody knows then what it will still do.
 */
const attempt = Effect.fnUntraced(function* (
  { consented, key_id, scene }: Grant,
  caller: Caller,
  attempts: ReadonlyArray<Attempt>,
) {
  const { auditor, client, stage } = scene
  const asked = stage.now()
  const answers = yield* Effect.all(
    attempts.map(({ verb }) => client.call(caller, TOKEN, undefined, verb)),
    { concurrency: "unbounded" },
  )
  const at = stage.now()
  const known = answers.flatMap(({ answer }) => answer ?? [])
  if (known.length < attempts.length) return undefined
  const uses = attempts.flatMap(({ use }, n) => {
    const outcome = known[n]?.outcome
    return outcome === undefined ? [] : [{ ...use, asked, at, outcome }]
  })
  auditor.see("program", key_id, { key_id, consented, uses })
  // A program whose answer was lost does not know its tokens.
  return answers.flatMap(({ answer, lost }) => (lost ? [] : (answer?.tokens ?? [])))
})

/** Registers two programs; the other one has no part in the consent. */
const register = Effect.fnUntraced(function* ({ client }: Scene, caller: Caller) {
  const [program, other] = yield* Effect.forEach(["A program", "Another"], (client_name) => {
    const said = registerClient({ redirect_uris: [RETURNS_TO, LOCAL], client_name })
    return client.call(caller, "POST /oauth/register", undefined, Effect.orDie(said))
  })
  return { client_id: program?.answer?.client_id, other_client: other?.answer?.client_id }
})

/** A person consents: sometimes to more than the program asks for, or without a budget. */
const consent = Effect.fnUntraced(function* (scene: Scene, buyer: Caller, n: number) {
  const { auditor, client, stage } = scene
  const chance = stage.chance(`program ${n}`)
  const { client_id, other_client } = yield* register(scene, buyer)
  if (client_id === undefined || other_client === undefined) return undefined
  const verifier = `${n}`.padEnd(43, "-v")
  const isRight = chance.hits(0.8)
  const { redirect_uri, ...asked } = chance.pick(isRight ? ASKED : NOT_TO_ASK)
  const request: AuthorizationRequest = {
    response_type: "code",
    client_id,
    redirect_uri,
    code_challenge: challengeOf(verifier),
    code_challenge_method: "S256",
    ...asked,
  }
  const expires_at = toIso(stage.now() + 40 * DAY)
  const limits = {
    expires_at,
    budget: { amount: { currency: "USD", value: 2_000 }, period: "total" },
  } as const
  const isLimited = isRight || chance.hits(0.5)
  const restrictions: AuthorizeInput["restrictions"] = isLimited
    ? limits
    : chance.pick<AuthorizeInput["restrictions"]>([
        { expires_at },
        { ...limits, routes: ["manage"] },
        { budget: limits.budget },
      ])
  const from = stage.now()
  const verb = Effect.provideService(
    authorize(buyer, { request, restrictions }),
    ClientDocuments,
    noDocuments,
  )
  const { answer, error } = yield* client.call(buyer, "POST /v1/oauth/authorize", undefined, verb)
  if (error === undefined || error === "INVALID_REQUEST") {
    auditor.see("consented", client_id, { isRight, code: error })
  }
  const code = /[?&]code=([^&]+)/.exec(answer?.redirect_to ?? "")?.[1]
  if (answer === undefined || code === undefined) return undefined
  const grant: Grant = {
    scene,
    chance,
    client_id,
    other_client,
    verifier,
    code,
    key_id: answer.api_key_id,
    redirect_uri,
    consented: [from, stage.now()],
  }
  return grant
})

/** Pays with a program's token, which spends the budget that the person has set. */
const pay = Effect.fnUntraced(function* ({ key_id, scene }: Grant, access: string, key: string) {
  const { client, people } = scene
  const opened = Effect.option(authenticate(`Bearer ${access}`, undefined, RESOURCE))
  const caller = yield* Effect.orElseSucceed(scene.stage.serve(opened), () => undefined)
  if (caller?._tag !== "Some") return
  const body = {
    service_id: people.services.get(SERVICES[0].name) ?? "",
    type: "one_time" as const,
    amount: { currency: "USD", value: 900 },
    description: describedAs(key_id),
  }
  yield* client.send({
    caller: caller.value,
    route: "POST /v1/payment-intents",
    body,
    key,
    status: 201,
    optimistic: true,
    verb: createIntent(caller.value, body),
  })
})

const run = Effect.fnUntraced(function* (scene: Scene, n: number) {
  const { people, stage } = scene
  const [buyer = people.stranger] = people.buyers
  yield* Effect.sleep(stage.chance(`arrival of program ${n}`).wait(2 * MINUTE))
  const grant = yield* consent(scene, buyer, n)
  if (grant === undefined) return
  const { chance } = grant
  yield* Effect.sleep(chance.hits(0.2) ? 2 * MINUTE : chance.int(1, 20) * SECOND)
  const given: Array<Tokens> = []
  for (let use = 0; use < USES; use += 1) {
    const [first, ...rest] = given
    const make = () =>
      first === undefined || chance.hits(0.04) ? exchange(grant) : useToken(grant, [first, ...rest])
    const attempts = chance.hits(0.2) ? [make(), make()] : [make()]
    const tokens = yield* attempt(grant, buyer, attempts)
    if (tokens === undefined) return
    given.push(...tokens)
    const latest = given.at(-1)
    if (latest !== undefined) yield* pay(grant, latest.access, `program ${n} pays ${use}`)
    yield* Effect.sleep(chance.hits(0.1) ? HOUR + 2 * MINUTE : chance.int(1, 90) * SECOND)
  }
})

/** Programs that a person lets pay, and what others try with their codes and tokens. */
export const authorizedPrograms: Part = {
  name: "authorized programs",
  heavy: 0.15,
  large: 0.5,
  rules: programRules,
  knowledge: [programs],
  errands: (scene) => Array.from({ length: PROGRAMS }, (_, n) => run(scene, n)),
}
