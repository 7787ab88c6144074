import { describe, expect, test } from "vitest"
import { CHANNEL_CHECKS, channelGrader } from "../../../../apps/grade/channel/grader.ts"
import { sourceText } from "../../../support/sourceFiles.ts"
import { gradeAs, namesOf } from "../grade.ts"
import {
  answeringLater,
  busy,
  learningLater,
  MUTANTS,
  remembering,
  settling,
  UNSEEN,
  valueFirst,
} from "./mutants.ts"
import type { Meddle, Passing } from "../../simulate/flawedProxy.ts"
import { freePort } from "../../../support/freePort.ts"
import { AGREED, CHANNEL, type Parts, serveGateway } from "./subject.ts"

const grade = (url: string, ...args: ReadonlyArray<string>) => {
  const agreed = ["--channel", CHANNEL, "--key-id", AGREED.key_id, "--secret", AGREED.secret]
  return gradeAs(channelGrader, url, ...agreed, ...args)
}

const paying = (url: string) => ["--pay", `${url}/wallet/${CHANNEL}/{out_trade_no}/pay`]

/** Grades a gateway that calls the grader back. */
const gradeCalling = async (parts: Partial<Parts>, ...args: ReadonlyArray<string>) => {
  const port = await freePort()
  const url = await serveGateway(parts, port)
  const heard = ["--callbacks", String(port), "--callback-secret", AGREED.callback_secret]
  heard.push("--repeats-within", "5")
  return grade(url, ...paying(url), ...heard, ...args)
}

const SILENT = CHANNEL_CHECKS.map(({ id }) => id).filter((id) => id.startsWith("callback"))
const LONG = 60_000

describe("our own gateway", () => {
  test(
    "passes every check",
    async () => {
      const checks = await gradeCalling({})
      expect(checks.filter(({ verdict }) => verdict.outcome === "failed")).toEqual([])
      expect(namesOf(checks, "not_judged")).toEqual([])
    },
    LONG,
  )

  test("is not judged by callbacks that nobody hears", async () => {
    const url = await serveGateway({})
    const checks = await grade(url, ...paying(url))
    expect(namesOf(checks, "failed")).toEqual([])
    expect(namesOf(checks, "not_judged")).toEqual(SILENT)
  })

  test("is not judged by payments that nobody makes", async () => {
    const checks = await grade(await serveGateway({}))
    expect(namesOf(checks, "failed")).toEqual([])
    const money = "capture same-answer too-much captured-once released copies"
    const back = "refund refunds-together refunds-race statement"
    const silent = `${money} ${back}`
    expect(namesOf(checks, "not_judged")).toEqual([...silent.split(" "), ...SILENT])
  })
})

describe("a gateway that does it otherwise", () => {
  test.each([
    ["the fields of its amounts in another order", valueFirst],
    ["a long statement", busy],
  ])("is right with %s", async (_, serve) => {
    const checks = await gradeCalling({ serve }, "--only", "statement")
    expect(namesOf(checks, "failed")).toEqual([])
    expect(namesOf(checks, "passed")).toContain("statement")
  })

  test("is right if money settles meanwhile", async () => {
    const refusals = "unsigned,forged,altered"
    const checks = await gradeCalling({ serve: settling() }, "--only", refusals)
    expect(namesOf(checks, "failed")).toEqual([])
  })

  test.each([
    ["its wallet answers later", answeringLater],
    ["it repeats that a number is pending", () => answeringLater(true)],
    ["it learns later who has paid", learningLater],
  ])(
    "is right if %s",
    async (_, serve) => {
      const url = await serveGateway({ serve: serve() })
      const checks = await grade(url, ...paying(url))
      expect(namesOf(checks, "failed")).toEqual([])
      expect(namesOf(checks, "not_judged")).toEqual(SILENT)
    },
    LONG,
  )

  // Longer than the grader waits here, so that a payment shows in the midst of a check.
  const late = (...args: ReadonlyArray<string>) =>
    gradeCalling({ serve: learningLater(2_500) }, ...args)

  test(
    "is not judged by payments that it shows late, and by no signature because of them",
    async () => {
      const checks = await late(
        "--shows-within",
        "1",
        "--only",
        "unsigned,forged,other-key,callback",
      )
      expect(namesOf(checks, "failed")).toEqual([])
      expect(namesOf(checks, "passed")).toContain("forged")
      const waited = await late("--shows-within", "20", "--only", "capture,forged")
      expect(namesOf(waited, "passed")).toEqual(["charge", "forged", "capture"])
      const refused = await late("--shows-within", "1", "--only", "capture")
      expect(namesOf(refused, "failed")).toEqual(["capture"])
    },
    LONG,
  )

  test(
    "is judged by a payment that it shows in time, though it has shown another one late",
    async () => {
      const serve = learningLater(300, 1_500)
      const args = ["--shows-within", "1", "--only", "unsigned,capture"]
      expect(namesOf(await gradeCalling({ serve }, ...args), "failed")).toEqual([])
    },
    LONG,
  )

  test(
    "is not judged by payments that it has not shown after ten seconds",
    async () => {
      const serve = learningLater(20_000)
      const checks = await gradeCalling({ serve }, "--only", "too-much")
      expect(namesOf(checks, "failed")).toEqual([])
      expect(namesOf(checks, "not_judged")).toEqual(["capture", "too-much"])
    },
    LONG,
  )

  test("is right if it says again what nobody heard in an earlier run", async () => {
    const said: Array<Passing> = []
    await gradeCalling({ calls: remembering(said) }, "--only", "callback")
    expect(said.length).toBeGreaterThan(0)
    const calls = remembering(said)
    const checks = await gradeCalling({ calls }, "--only", "callback-known,callback-signed")
    expect(namesOf(checks, "failed")).toEqual([])
    expect(namesOf(checks, "passed")).toContain("callback-known")
  })

  test("is not judged by what it does not say again in seconds", async () => {
    const port = await freePort()
    const calls: Meddle = async (passing, pass) => {
      await pass(passing)
      return { status: 200, headers: {}, text: "{}" }
    }
    const url = await serveGateway({ calls }, port)
    const heard = ["--callbacks", String(port), "--callback-secret", AGREED.callback_secret]
    const checks = await grade(url, ...paying(url), ...heard, "--only", "callback-again")
    expect(namesOf(checks, "not_judged")).toEqual(["callback-again"])
  })

  test("is not waited for after the end of the run", async () => {
    const port = await freePort()
    const ending = new AbortController()
    const calls: Meddle = async (passing, pass) => {
      const { status } = await pass(passing)
      if (status === 500) ending.abort()
      return { status: 200, headers: {}, text: "{}" }
    }
    const url = await serveGateway({ calls }, port)
    const agreed = ["--channel", CHANNEL, "--key-id", AGREED.key_id, "--secret", AGREED.secret]
    const heard = ["--callbacks", String(port), "--callback-secret", AGREED.callback_secret]
    const only = ["--only", "callback-again", "--repeats-within", "600"]
    const prepared = channelGrader.read([url, ...agreed, ...paying(url), ...heard, ...only])
    expect((await prepared?.grade(() => undefined, ending.signal))?.cut_off).toBe(true)
  })

  test.each(["VND", "BHD", "JPY", "USD"])("is right with the decimals of %s", async (currency) => {
    const checks = await gradeCalling({}, "--only", "callback", "--currency", currency)
    expect(namesOf(checks, "failed")).toEqual([])
    expect(namesOf(checks, "passed")).toEqual(["charge", "callback"])
  })
})

describe("a gateway with a bug", () => {
  test.each(MUTANTS)(
    "that $name is named",
    async ({ named, parts }) => {
      const checks = await gradeCalling(parts(), "--only", named.join())
      expect(namesOf(checks, "failed")).toEqual(expect.arrayContaining([...named]))
    },
    LONG,
  )

  test.each(UNSEEN)(
    "that $name is not seen",
    async ({ parts }) => {
      expect(namesOf(await gradeCalling(parts()), "failed")).toEqual([])
    },
    LONG,
  )

  test("is named as often as the README says", async () => {
    const all = MUTANTS.length + UNSEEN.length
    const said = `| \`channel\` | ${CHANNEL_CHECKS.length} | ${MUTANTS.length} of ${all} |`
    expect(await sourceText("apps/grade/README.md")).toContain(said)
  })
})
