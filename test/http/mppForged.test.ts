import { afterAll, beforeAll, expect, test } from "vitest"
import { idOf } from "../../adapters/http/mpp/binding.ts"
import { decodeFields, encodeFields } from "../../adapters/http/client/Fields.ts"
import {
  type ChallengeParameters,
  type MppChallenge,
  parseChallenges,
  requestOf,
  requestText,
} from "../../adapters/http/client/MppChallenge.ts"
import { activeService, type App, type Reply, startApp } from "../support/app.ts"

interface Asked {
  readonly path: string
  readonly challenge: MppChallenge
  readonly payload: { readonly payment_intent: string; readonly token: string }
}

let app: App
let here: Asked
let there: Asked
beforeAll(async () => {
  app = await startApp({ sandbox: true })
  here = await paid("Here")
  there = await paid("There")
})
afterAll(() => app.stop())

const show = (authorization: string, { path }: Pick<Asked, "path"> = here): Promise<Reply> =>
  app.call("GET", path, { key: null, headers: { Authorization: authorization } })

const paid = async (name: string): Promise<Asked> => {
  const path = `/v1/sandbox/paid/${await activeService(app, { name })}`
  const { headers, json } = await app.call("GET", path, { key: null })
  const [challenge] = parseChallenges(headers.get("WWW-Authenticate") ?? "")
  if (challenge === undefined) throw new Error("No challenge was offered.")
  const { id, token } = json["payment_intent"] as { readonly id: string; readonly token: string }
  await app.call("POST", `/v1/sandbox/payment-intents/${id}/simulate`, {
    key: app.buyer.api_key.key,
    body: { action: "pay" },
  })
  return { path, challenge, payload: { payment_intent: id, token } }
}

const credential = (challenge: unknown, payload: unknown): string =>
  `Payment ${encodeFields({ challenge, payload })}`

const genuine = ({ challenge, payload }: Asked): string => credential(challenge, payload)

/** The credential with other parameters of its challenge. */
const echoing = (said: object) => () => credential({ ...here.challenge, ...said }, here.payload)

/** The credential with other fields in the request. */
const asking = (said: object) => () =>
  echoing({ request: requestText({ ...requestOf(here.challenge), ...said }) })()

/** The same with an id computed by somebody with the token. */
const insider = (said: Partial<ChallengeParameters>, token?: string) => () => {
  const { id: _old, ...parameters } = { ...here.challenge, ...said }
  const id = idOf(parameters, token ?? here.payload.token)
  return credential({ id, ...parameters }, here.payload)
}

const insiderAsking = (said: object) => () =>
  insider({ request: requestText({ ...requestOf(here.challenge), ...said }) })()

const proving = (said: object) => () => credential(here.challenge, { ...here.payload, ...said })

const text = (value: string) => `Payment ${Buffer.from(value).toString("base64url")}`

const INVALID = "invalid-challenge"
const MALFORMED = "malformed-credential"
const FAILED = "verification-failed"

const details = (said: object) => ({ methodDetails: said })

/** Texts similar to a credential, each with the problem of its refusal. */
const forged: ReadonlyArray<readonly [name: string, header: () => string, problem: string]> = [
  ["an id that is a word", echoing({ id: "guess" }), INVALID],
  ["an id one letter off", () => echoing({ id: `${here.challenge.id.slice(0, -1)}!` })(), INVALID],
  ["a shorter id", () => echoing({ id: here.challenge.id.slice(1) })(), INVALID],
  ["an id in other case", () => echoing({ id: here.challenge.id.toLowerCase() })(), INVALID],
  ["the id of another challenge", () => echoing({ id: there.challenge.id })(), INVALID],
  ["an empty id", echoing({ id: "" }), MALFORMED],
  ["an id that is a number", echoing({ id: 7 }), MALFORMED],
  ["another realm", echoing({ realm: "api.example" }), INVALID],
  ["an empty realm", echoing({ realm: "" }), MALFORMED],
  ["a method in capitals", echoing({ method: "PAYPORT" }), MALFORMED],
  ["the intent authorize", echoing({ intent: "authorize" }), INVALID],
  ["the intent session", echoing({ intent: "session" }), INVALID],
  ["the intent in capitals", echoing({ intent: "CHARGE" }), INVALID],
  ["no intent", echoing({ intent: undefined }), MALFORMED],
  ["a smaller amount", asking({ amount: "1" }), INVALID],
  ["a larger amount", asking({ amount: "6990" }), INVALID],
  ["the amount as a number", asking({ amount: 699 }), INVALID],
  ["the amount with a zero before it", asking({ amount: "0699" }), INVALID],
  ["another currency", asking({ currency: "idr" }), INVALID],
  ["another recipient", asking({ recipient: "thief" }), INVALID],
  ["a field more in its request", asking({ externalId: "7" }), INVALID],
  ["another payment in its request", asking(details({ payment_intent: "pi_1" })), INVALID],
  ["a request that is none", echoing({ request: "!" }), MALFORMED],
  ["a request that is a list", echoing({ request: "W10" }), MALFORMED],
  ["the request of another", () => echoing({ request: there.challenge.request })(), INVALID],
  [
    "its request in another order",
    () => {
      const fields = Object.entries(requestOf(here.challenge)).toReversed()
      const json = JSON.stringify(Object.fromEntries(fields))
      return echoing({ request: Buffer.from(json).toString("base64url") })()
    },
    INVALID,
  ],
  ["more time", echoing({ expires: "2099-01-01T00:00:00.000Z" }), INVALID],
  ["no time", echoing({ expires: undefined }), INVALID],
  ["a time that is a number", echoing({ expires: 4_070_908_800 }), MALFORMED],
  ["a digest", echoing({ digest: "sha-256=:AAAA:" }), INVALID],
  ["data of its own", echoing({ opaque: "e30" }), INVALID],
  ["an id made with a guessed token", insider({}, "guessed"), INVALID],
  ["an id made with another token", () => insider({}, there.payload.token)(), INVALID],
  ["an id made anew for another realm", insider({ realm: "api.example" }), INVALID],
  ["an id made anew for another intent", insider({ intent: "session" }), INVALID],
  ["an id made anew for less", insiderAsking({ amount: "1" }), INVALID],
  ["an id made anew for another currency", insiderAsking({ currency: "idr" }), INVALID],
  ["an id made anew for no payment", insiderAsking(details({})), INVALID],
  ["an id made anew for a body", insider({ digest: "sha-256=:AAAA:" }), FAILED],
  ["a guessed token", proving({ token: "guessed" }), INVALID],
  ["an empty token", proving({ token: "" }), MALFORMED],
  ["a long token", proving({ token: "x".repeat(257) }), MALFORMED],
  ["a token of two lines", proving({ token: "a\nb" }), MALFORMED],
  ["a token that is a number", proving({ token: 1 }), MALFORMED],
  ["the token of another", () => proving({ token: there.payload.token })(), INVALID],
  ["another's payment", () => proving({ payment_intent: there.payload.payment_intent })(), INVALID],
  ["another's whole proof", () => credential(here.challenge, there.payload), INVALID],
  ["no payment", proving({ payment_intent: undefined }), MALFORMED],
  ["a payment that is no id", proving({ payment_intent: "pi_1" }), MALFORMED],
  ["a payment in capitals", () => proving({ payment_intent: "PI_1" })(), MALFORMED],
  ["no payload", () => credential(here.challenge, undefined), MALFORMED],
  ["a payload that is text", () => credential(here.challenge, "paid"), MALFORMED],
  ["a payload that is a list", () => credential(here.challenge, [here.payload]), MALFORMED],
  ["no challenge", () => credential(undefined, here.payload), MALFORMED],
  ["a challenge that is null", () => credential(null, here.payload), MALFORMED],
  ["a source that is a number", () => text(JSON.stringify({ ...parts(), source: 1 })), MALFORMED],
  ["nothing", () => "Payment ", MALFORMED],
  ["no base64", () => "Payment {}", MALFORMED],
  ["no JSON", () => text("paid"), MALFORMED],
  ["null", () => text("null"), MALFORMED],
  ["a list", () => text("[]"), MALFORMED],
  ["half of it", () => genuine(here).slice(0, 200), MALFORMED],
  ["a word after it", () => `${genuine(here)} again`, MALFORMED],
  ["bytes that are no UTF-8", () => "Payment _____w", MALFORMED],
]

const parts = () => decodeFields(genuine(here).slice("Payment ".length)) ?? {}

test.each(forged)("%s opens nothing, and is told what is wrong", async (_, header, problem) => {
  const reply = await show(header())
  expect(reply.status).toBe(402)
  expect(reply.headers.get("Content-Type")).toBe("application/problem+json")
  const [offer] = parseChallenges(reply.headers.get("WWW-Authenticate") ?? "")
  expect(reply.json).toMatchObject({
    type: `https://paymentauth.org/problems/${problem}`,
    status: 402,
    challengeId: offer?.id,
  })
  expect(offer?.id).not.toBe(here.challenge.id)
  expect(reply.headers.get("Payment-Receipt")).toBeNull()
  expect(reply.headers.get("Cache-Control")).toBe("no-store")
})

test("another's method, and two credentials at once, are refused without an offer", async () => {
  for (const header of [echoing({ method: "tempo" })(), `${genuine(here)}, ${genuine(there)}`]) {
    const reply = await show(header)
    expect([reply.status, reply.headers.get("WWW-Authenticate")]).toEqual([400, null])
    expect(reply.json["code"]).toBe("INVALID_REQUEST")
  }
})

test("a credential opens nothing elsewhere", async () => {
  const reply = await show(genuine(there), here)
  expect(reply.status).toBe(402)
  expect(reply.json["type"]).toBe(`https://paymentauth.org/problems/${FAILED}`)
})

test("after all of them the genuine ones pass, once each", async () => {
  expect(forged.length).toBeGreaterThanOrEqual(40)
  for (const asked of [here, there]) {
    const passed = await show(genuine(asked), asked)
    expect(passed.status).toBe(200)
    const receipt = decodeFields(passed.headers.get("Payment-Receipt") ?? "")
    const again = await show(genuine(asked), asked)
    expect(again.status).toBe(402)
    expect(again.json).toMatchObject({
      type: `https://paymentauth.org/problems/${INVALID}`,
      code: "PAYMENT_PROOF_USED",
      receipt,
    })
  }
  const log = app.lines.join("\n")
  const secrets = [here, there].flatMap((asked) => [asked.payload.token, genuine(asked).slice(8)])
  expect(secrets.filter((secret) => log.includes(secret))).toEqual([])
})
