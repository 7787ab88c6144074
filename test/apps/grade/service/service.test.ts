import { createServer } from "node:http"
import { describe, expect, onTestFinished, test } from "vitest"
import { SERVICE_CHECKS } from "../../../../apps/grade/service/checks.ts"
import { serviceGrader } from "../../../../apps/grade/service/grader.ts"
import { onlyOf } from "../../../../apps/grade/Grader.ts"
import { levelOf, levelsOf } from "../../../../apps/grade/report/Report.ts"
import { sourceText } from "../../../support/sourceFiles.ts"
import { type Answered, type Meddle, startProxy } from "../../simulate/flawedProxy.ts"
import { gradeAs, namesOf } from "../grade.ts"
import { serve } from "../serve.ts"
import { controlOf } from "./control.ts"
import { MUTANTS, UNSEEN } from "./mutants.ts"
import { grade, gradeBy, LONG } from "./gradeService.ts"
import { serveService } from "./subject.ts"

type Checks = Awaited<ReturnType<typeof gradeAs>>

const failedOf = (checks: Checks) =>
  checks.flatMap(({ id, verdict }) => (verdict.outcome === "failed" ? [{ id, ...verdict }] : []))

/** Grades a service by the control interface at a URL, with accounts that are there. */
const gradeBehind = (
  { app, url }: Awaited<ReturnType<typeof serveService>>,
  control: { readonly url: string; readonly key: string },
  ...args: ReadonlyArray<string>
) => {
  const keys = ["--seller-key", app.seller.api_key.key, "--buyer-key", app.buyer.api_key.key]
  const behind = ["--control", control.url, "--control-key", control.key]
  return gradeAs(serviceGrader, url, ...keys, ...behind, ...args)
}

const isWorld = (id: string): boolean => id.startsWith("world-")

describe("our own service", () => {
  test("passes every check, and reaches the highest level", LONG, async () => {
    const checks = await grade(await serveService(), "--payments", "8")
    expect(failedOf(checks)).toEqual([])
    const silent = namesOf(checks, "not_judged")
    expect(silent).toContain("world-inside")
    expect(silent.filter((id) => !isWorld(id))).toEqual([])
    expect(silent.length).toBeLessThan(8)
    expect(levelOf({ checks })).toBe("webhooks")
  })

  test("is left with working channels when the run ends during a fault", LONG, async () => {
    const ending = new AbortController()
    const api: Meddle = async (passing, pass) => {
      const answer = await pass(passing)
      if (passing.body.includes('"down":true')) ending.abort()
      return answer
    }
    const { admin, app, url } = await serveService({ api })
    const only = ["--only", "channel-down", "--payments", "0"]
    const prepared = serviceGrader.read([url, "--admin-key", admin, ...only])
    expect((await prepared?.grade(() => undefined, ending.signal))?.cut_off).toBe(true)
    const { text } = await app.call("GET", "/v1/sandbox/channels")
    expect(text).toContain('"down":false')
    expect(text).not.toContain('"down":true')
  })

  test("passes by the control interface, with accounts that are there", LONG, async () => {
    const served = await serveService()
    const control = await controlOf(served.app)
    const checks = await gradeBehind(served, control, "--payments", "3")
    expect(failedOf(checks)).toEqual([])
    const silent = namesOf(checks, "not_judged")
    expect(silent.filter((id) => !isWorld(id))).toEqual([])
    expect(silent.length).toBeLessThan(20)
    expect(control.routes()).toEqual([
      "GET /channels",
      "GET /inbox",
      "POST /clock",
      "POST /simulate",
      "PUT /faults",
    ])
  })
})

describe("a service with a bug", () => {
  test.each(UNSEEN)("that $name is not seen", LONG, async ({ parts }) => {
    const checks = await grade(await serveService(parts()), "--payments", "0")
    expect(failedOf(checks)).toEqual([])
  })

  test("is named as often as the README says", async () => {
    const all = MUTANTS.length + UNSEEN.length
    const said = `| \`service\` | ${SERVICE_CHECKS.length} | ${MUTANTS.length} of ${all} |`
    expect(await sourceText("apps/grade/README.md")).toContain(said)
  })

  test("reaches the levels before it", LONG, async () => {
    const mutant = MUTANTS.find(({ name }) => name === "goes on after a refusal")
    const served = await serveService(mutant?.parts())
    const checks = await gradeBy(served, ["retry-dropped", "refund-part"])
    expect(levelOf({ checks })).toBe("money")
    const webhooks = { name: "webhooks", reached: false, failed: ["retry-dropped"] }
    expect(levelsOf({ checks }).at(-1)).toEqual(webhooks)
  })
})

/** Grades a world of two payments behind a proxy that changes the responses of one route. */
const worldBehind = async (route: string, change: (answer: Answered) => Answered) => {
  const api: Meddle = async (passing, pass) => {
    const answer = await pass(passing)
    return passing.path.startsWith(route) ? change(answer) : answer
  }
  const only = ["world-204", "world-28", "world-inside"]
  return grade(await serveService({ api }), "--payments", "2", "--only", only.join())
}

describe("a world", () => {
  test("names the rule that does not hold, and no other", LONG, async () => {
    const checks = await worldBehind("/v1/ledger/entries", (answer) => ({
      ...answer,
      text: answer.text.replaceAll('"account":"merchant_wallet"', '"account":"fees_due"'),
    }))
    expect(failedOf(checks).map(({ id }) => id)).toEqual(["world-204"])
    expect(namesOf(checks, "passed")).toEqual(["world-28"])
    expect(failedOf(checks)[0]?.seen).toMatch(/^\d+, such as .+ ledger says/)
  })

  test("is not judged where the service does not describe itself", LONG, async () => {
    const checks = await worldBehind("/openapi.json", () => ({
      status: 404,
      headers: {},
      text: "",
    }))
    expect(failedOf(checks)).toEqual([])
    const [first] = checks
    expect(first?.verdict).toMatchObject({ outcome: "not_judged", why: expect.any(String) })
    expect(JSON.stringify(first?.verdict)).toContain("/openapi.json does not describe a payport")
    expect(levelOf({ checks })).toBe(null)
  })
})

describe("the checks", () => {
  test("come behind those that they need", () => {
    const before = new Set<string>()
    for (const { id, needs = [] } of SERVICE_CHECKS) {
      expect([id, needs.filter((needed) => !before.has(needed))]).toEqual([id, []])
      before.add(id)
    }
    expect(before.size).toBe(SERVICE_CHECKS.length)
  })

  test("are chosen with all that they need", () => {
    const chosen = onlyOf(SERVICE_CHECKS, "refund-rest,otp").map(({ id }) => id)
    expect(chosen).toEqual(["offers", "creates", "path", "otp", "refund-part", "refund-rest"])
    expect(() => onlyOf(SERVICE_CHECKS, "none")).toThrow('There is no check "none".')
  })
})

describe("what cannot be graded", () => {
  test("is said in a sentence", async () => {
    const nobody = grade({ url: "http://127.0.0.1:1", admin: "key" })
    await expect(nobody).rejects.toThrow(/cannot be reached/)
    const other = await serve(createServer((_, response) => response.writeHead(404).end()))
    const wrong = grade({ url: other, admin: "key" })
    await expect(wrong).rejects.toThrow(/No account can be opened/)
    const keys = ["--seller-key", "one", "--buyer-key", "two"]
    await expect(gradeAs(serviceGrader, other, ...keys)).rejects.toThrow(
      /refused POST \/v1\/sandbox\/clock\/advance with status 404/,
    )
  })

  test.each([
    [["--seller-key", "one"], /--admin-key is missing, or --seller-key and --buyer-key/],
    [["--admin-key", "one", "--control-key", "two"], /--control-key wants --control/],
    [["--admin-key", "one", "--only", "none"], /There is no check "none"/],
  ])("is refused: %j", (args, message) => {
    expect(() => serviceGrader.read(["http://127.0.0.1:1", ...args])).toThrow(message)
  })

  test("is not judged where the control interface has no such thing", LONG, async () => {
    const served = await serveService()
    const control = await controlOf(served.app)
    const proxy = await startProxy(
      () => control.url,
      (passing, pass) =>
        passing.path === "/faults"
          ? Promise.resolve({ status: 501, headers: {}, text: "" })
          : pass(passing),
    )
    onTestFinished(proxy.close)
    const only = ["--only", "unsure,settles", "--payments", "0"]
    const checks = await gradeBehind(served, { ...control, url: proxy.url }, ...only)
    expect(namesOf(checks, "not_judged")).toEqual(["unsure"])
    expect(failedOf(checks)).toEqual([])
  })
})
