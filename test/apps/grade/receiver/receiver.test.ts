import express from "express"
import { createServer, type IncomingMessage } from "node:http"
import { Stripe } from "stripe"
import { describe, expect, test } from "vitest"
import { webhookServer } from "../../../../adapters/receiver/examples/nodeHttp.ts"
import { RECEIVER_CHECKS, receiverGrader } from "../../../../apps/grade/receiver/grader.ts"
import { sourceText } from "../../../support/sourceFiles.ts"
import { gradeAs, namesOf } from "../grade.ts"
import { serve } from "../serve.ts"
import { MUTANTS, UNSEEN } from "./mutants.ts"
import { KEYS, OLD_SECRET, RETIRED_SECRET, SECRET, serveReceiver } from "./subject.ts"

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64")
const [newKey, oldKey] = KEYS

const SECRETS = ["--secret", SECRET, "--old-secret", OLD_SECRET, "--retired-secret", RETIRED_SECRET]
const ALL = SECRETS.concat(
  ["--encryption-key", base64(newKey.publicKey)],
  ["--old-encryption-key", base64(oldKey.publicKey)],
)
/** Checks that no run judges. */
const NEVER = ["after-failure", "no-undoing"]

const grade = (url: string, ...args: ReadonlyArray<string>) =>
  gradeAs(receiverGrader, `${url}/hook`, ...args)

describe("a receiver that is right", () => {
  test("passes every check", async () => {
    const url = await serveReceiver({})
    const checks = await grade(url, ...ALL, "--effects", `${url}/taken`)
    expect(namesOf(checks, "failed")).toEqual([])
    expect(namesOf(checks, "not_judged")).toEqual(NEVER)
  })

  test.each(["endpoint", "service"])("our own passes as that of a %s", async (as) => {
    const effects: Array<string> = []
    const hook = webhookServer(
      {
        secrets: [SECRET, OLD_SECRET],
        keys: KEYS.map(({ secretKey }) => secretKey),
        handle: ({ id }) => void effects.push(id),
      },
      () => undefined,
    )
    const shown = createServer((_, response) => response.end(JSON.stringify(effects)))
    const [url, taken] = [await serve(hook), await serve(shown)]
    const given = as === "service" ? SECRETS : ALL
    const checks = await grade(url, ...given, "--as", as, "--effects", taken)
    expect(checks.filter(({ verdict }) => verdict.outcome === "failed")).toEqual([])
    const silent = namesOf(checks, "not_judged")
    expect(silent).toEqual(as === "service" ? expect.arrayContaining(["past", "encrypted"]) : NEVER)
  })

  test("is not judged by what nobody sees", async () => {
    const url = await serveReceiver({})
    const checks = await grade(url, "--secret", SECRET)
    expect(namesOf(checks, "failed")).toEqual([])
    const keys = "old-secret retired-secret encrypted encrypted-once old-key unknown-key"
    const boxes = "broken-box forged-box genuine-once duplicate-once copies-once"
    const effects = "replay-once out-of-order-once forged-first-once renamed-once refused-never"
    const silent = `${keys} ${boxes} ${effects}`.split(" ")
    expect(namesOf(checks, "not_judged")).toEqual([...silent, ...NEVER])
  })
})

test.each([
  ["200", 400, ["unicode", "large"], []],
  ["8000", 5_300, [], ["unicode", "large"]],
] as const)(
  "every answer may take %s ms, and one takes %i",
  async (within, delay, failing, passing) => {
    const url = await serveReceiver({ delay: (answer) => ([2, 3].includes(answer) ? delay : 0) })
    const checks = await grade(url, "--secret", SECRET, "--answer-within", within)
    expect(namesOf(checks, "failed")).toEqual(failing)
    expect(namesOf(checks, "passed")).toEqual(expect.arrayContaining([...passing]))
  },
  30_000,
)

test("a receiver that works on its events later is right", async () => {
  const url = await serveReceiver({ worksAfter: 6_500 })
  const shown = ["--effects", `${url}/taken`]
  const hasty = await grade(url, ...ALL, ...shown)
  expect(hasty.find(({ id }) => id === "genuine-once")?.verdict).toMatchObject({
    expected: expect.stringContaining("within 5000 ms"),
    advice: expect.stringContaining("--effects-within"),
  })
  const checks = await grade(url, ...ALL, ...shown, "--effects-within", "20000")
  expect(namesOf(checks, "failed")).toEqual([])
}, 60_000)

test("a receiver that has taken many events is right", async () => {
  const before = Array.from({ length: 9_000 }, (_, n) => `evt_${String(n).padStart(36, "0")}`)
  const url = await serveReceiver({ before })
  const checks = await grade(url, ...ALL, "--effects", `${url}/taken`)
  expect(namesOf(checks, "failed")).toEqual([])
  expect(namesOf(checks, "passed")).toContain("copies-once")
})

test("a list of effects without an end is none", async () => {
  const url = await serveReceiver({ before: ["x".repeat(17_000_000)] })
  const effects = `${url}/taken`
  const given = [`${url}/hook`, "--secret", SECRET, "--effects", effects]
  const ran = await receiverGrader.read(given)?.grade(() => undefined, AbortSignal.timeout(60_000))
  expect(ran?.checks.find(({ id }) => id === "genuine-once")?.verdict).toEqual({
    outcome: "not_judged",
    why: expect.stringMatching(/16777216 bytes at most: drop the oldest/),
  })
  expect(namesOf(ran?.checks ?? [], "passed")).toContain("forged")
  expect(ran?.cut_off).toBe(true)
})

test("a receiver that puts wrong deliveries off is not praised for refusing them", async () => {
  let hard = false
  const isWrong = ({ headers }: IncomingMessage) => headers["webhook-signature"] === undefined
  const putsOff = (request: IncomingMessage) => (hard ||= isWrong(request))
  const url = await serveReceiver({ putsOff, retryAfter: "3600" })
  const checks = await grade(url, "--secret", SECRET)
  expect(namesOf(checks, "passed")).toContain("forged")
  expect(namesOf(checks, "not_judged")).toEqual(expect.arrayContaining(["unsigned", "past"]))
})

describe("a receiver with a bug", () => {
  test.each(MUTANTS)("that $name is named", async ({ named, parts }) => {
    const url = await serveReceiver(parts)
    const shown = ["--effects", `${url}/taken`, "--answer-within", "1000"]
    const checks = await grade(url, ...ALL, ...shown)
    expect(namesOf(checks, "failed")).toEqual(expect.arrayContaining([...named]))
  })

  test("which refuses everything is not praised for what it refuses", async () => {
    const url = await serveReceiver({ secrets: ["whsec_of-another"] })
    const checks = await grade(url, "--secret", SECRET)
    expect(namesOf(checks, "failed")).toEqual(["genuine"])
    expect(namesOf(checks, "passed")).toEqual([])
  })

  test.each(UNSEEN)("that $name is not seen", async ({ parts }) => {
    const url = await serveReceiver(parts)
    const checks = await grade(url, ...ALL, "--effects", `${url}/taken`)
    expect(namesOf(checks, "failed")).toEqual([])
  })

  test("is named as often as the README says", async () => {
    const all = MUTANTS.length + UNSEEN.length
    const said = `| \`receiver\` | ${RECEIVER_CHECKS.length} | ${MUTANTS.length} of ${all} |`
    expect(await sourceText("apps/grade/README.md")).toContain(said)
  })
})

/** A receiver on Express that verifies with Stripe's package, whose header has the same form. */
const stripeReceiver = () => {
  const app = express()
  const seen = new Set<string>()
  const effects: Array<string> = []
  app.post("/hook", express.raw({ type: "*/*", limit: "1mb" }), (request, response) => {
    try {
      const header = request.headers["webhook-signature"] ?? ""
      const { id } = Stripe.webhooks.constructEvent(request.body as Buffer, header, SECRET)
      if (!seen.has(id)) effects.push(id)
      seen.add(id)
      response.sendStatus(200)
    } catch {
      response.sendStatus(401)
    }
  })
  app.get("/taken", (_, response) => void response.json(effects))
  return serve(createServer(app))
}

test("Stripe's verifier takes signatures of later, and is right otherwise", async () => {
  const url = await stripeReceiver()
  const checks = await grade(url, "--secret", SECRET, "--effects", `${url}/taken`)
  expect(namesOf(checks, "failed")).toEqual(["future", "refused-never"])
})
