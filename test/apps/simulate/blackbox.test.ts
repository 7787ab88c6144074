import { spawn } from "node:child_process"
import { once } from "node:events"
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { checkLive } from "../../../apps/simulate/blackbox/liveChecks.ts"
import type { BlackboxOptions } from "../../../apps/simulate/blackbox/openRun.ts"
import { CutShort, playBlackbox } from "../../../apps/simulate/blackbox/playBlackbox.ts"
import { notesOf, reportOf } from "../../../apps/simulate/blackbox/reportOf.ts"
import { openRuns } from "../../../core/reports/openRuns.ts"
import { invariants } from "../../../simulator/auditor/invariants.ts"
import {
  INTERFACE,
  leftOut,
  outsideInvariants,
} from "../../../simulator/blackbox/outsideInvariants.ts"
import { drawScript } from "../../../simulator/drawScript.ts"
import { NO_FAULTS } from "../../../simulator/faults/Faults.ts"
import { mixed } from "../../../simulator/scenarios/library.ts"
import { ADMIN_KEY, type App, startApp } from "../../support/app.ts"
import { program } from "../../support/programs.ts"
import { sourceText } from "../../support/sourceFiles.ts"
import { type Meddle, startProxy } from "./flawedProxy.ts"

let app: App
beforeAll(async () => {
  app = await startApp({ sandbox: true })
  // As a process that works does when it starts.
  await app.run(openRuns())
})
afterAll(() => app.stop())

const FAULTS = {
  ...NO_FAULTS,
  answer_lost: 0.2,
  client_parallel: 0.3,
  callback_forged: 0.5,
  callback_tampered: 0.5,
  callback_duplicated: 0.3,
  call_timeout: 0.1,
  keys_changed: 0.5,
  receiver_redirects: 0.15,
  receiver_resets: 0.1,
  receiver_pours: 0.05,
}

const script = (intents: number, seed: number) =>
  drawScript({
    seed,
    intents,
    faults: FAULTS,
    scenario: {
      ...mixed,
      nosy: 1,
      reuses_key: 0.5,
      payers: [
        { weight: 5, persona: "hasty" },
        { weight: 1, persona: "typical" },
      ],
      payees: [{ weight: 1, persona: "generous" }],
      amount: { least: 100, most: 3_000 },
    },
  })

/** Sends every webhook twice, whatever the receiver answers. */
const twice: Meddle = async (passing, pass) => {
  await pass(passing)
  return pass(passing)
}

const amended = (text: string, change: (body: { [field: string]: unknown }) => void): string => {
  const body = JSON.parse(text) as { [field: string]: unknown }
  change(body)
  return JSON.stringify(body)
}

/** The numbers of the invariants that the flaws below are about. */
const EXPECTED = [6, 13, 21, 23, 26, 28, 31, 46, 202, 203, 204]

type Row = { readonly [field: string]: unknown }

/** Returns a list without one row: a wallet's if there is one, otherwise the first. */
const withoutOne = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  const at = rows.findIndex(({ account }) => account === "merchant_wallet")
  return rows.toSpliced(Math.max(at, 0), 1)
}

/** A service that gets a good many things wrong. */
const flawed = (): Meddle => {
  /** A key that was once allowed to read each payment. */
  const readers = new Map<string, string>()
  let keyed = 0
  return async (passing, pass) => {
    const { headers, method, path } = passing
    const answer = await pass(passing)
    const { status, text } = answer
    const [route = ""] = path.split("?")
    // 21: accepts every message in a channel's name.
    if (route.startsWith("/v1/webhooks/channel/")) return { ...answer, status: 200 }
    if (/^\/v1\/payment-intents\/pi_[^/]+$/.test(route) && method === "GET") {
      // 46: shows a payment to every account once it was shown to one.
      const key = readers.get(route)
      if (status === 404 && key !== undefined) {
        return pass({ ...passing, headers: { ...headers, authorization: key } })
      }
      readers.set(route, headers["authorization"] ?? "")
      // 26, 13: a payment that has ended is worth one more each time.
      const more = ++keyed
      return {
        ...answer,
        text: amended(text, (body) => {
          if (body["status"] !== "succeeded") return
          const amount = body["amount"] as { readonly currency: string; readonly value: number }
          body["amount"] = { ...amount, value: amount.value + more }
        }),
      }
    }
    // 23: a replayed answer has another text.
    if (method === "POST" && answer.headers["idempotent-replayed"] === "true") {
      return { ...answer, text: amended(text, (body) => (body["description"] = "Another")) }
    }
    // 202: an error has an unknown code.
    if (status === 409) return { ...answer, text: text.replace("IDEMPOTENCY_KEY_USED", "NO") }
    // 6, 204: a row of the ledger is missing. 28: an event is missing. 203: a row comes twice.
    if (route === "/v1/ledger/entries" || route === "/v1/events" || route === "/v1/refunds") {
      if (method !== "GET") return answer
      const change = (body: { [field: string]: unknown }) => {
        const rows = body["data"] as ReadonlyArray<Row>
        body["data"] = route === "/v1/refunds" ? [...rows, ...rows] : withoutOne(rows)
      }
      return { ...answer, text: amended(text, change) }
    }
    return answer
  }
}

/** Later than any worker may be. */
const HOUR_LATE = 3_600_000

/** Shows expired payments as open, refunds double the settlement, delivers an hour late. */
const late: Meddle = async (passing, pass) => {
  const answer = await pass(passing)
  const [route = ""] = passing.path.split("?")
  if (answer.status >= 300) return answer
  if (/^\/v1\/payment-intents\/pi_[^/]+$/.test(route)) {
    return { ...answer, text: answer.text.replace('"status":"expired"', '"status":"scanning"') }
  }
  if (route === "/v1/refunds" && passing.method === "GET") {
    const twofold = (text: string) =>
      text.replaceAll(/("settlement":\{"currency":"[A-Z]+","value":)(\d+)/g, (_, start, value) => {
        return `${String(start)}${Number(value) * 2}`
      })
    return { ...answer, text: twofold(answer.text) }
  }
  if (route === "/v1/webhook-deliveries") {
    const behind = (text: string) =>
      text.replaceAll(/"at":"([^"]+)"/g, (_, at: string) => {
        return `"at":"${new Date(Date.parse(at) + HOUR_LATE).toISOString()}"`
      })
    return { ...answer, text: behind(answer.text) }
  }
  return answer
}

/** Signs with the newest of several secrets only. */
const forgetful: Meddle = (passing, pass) => {
  const first = (header: string) => header.replace(/(v1=[0-9a-f]{64})(,v1=[0-9a-f]{64})+/, "$1")
  const plain = (header: string) => header.replace(/^([0-9a-f]{64}),.*$/, "$1")
  const headers = Object.entries(passing.headers).map(([name, value]) => {
    return [name, name === "x-webhook-signature" ? plain(value) : first(value)] as const
  })
  return pass({ ...passing, headers: Object.fromEntries(headers) })
}

/** Puts off every request to refund too much, and the first try of every payment. */
const puttingOff = (): Meddle => {
  const seen = new Set<string>()
  return async (passing, pass) => {
    const key = passing.headers["idempotency-key"]
    if (passing.method === "POST" && passing.path === "/v1/payment-intents" && key !== undefined) {
      const error = { code: "TEMPORARILY_UNAVAILABLE", message: "No.", request_id: "r" }
      if (!seen.has(key)) {
        seen.add(key)
        return { status: 503, headers: {}, text: JSON.stringify({ error: "x", ...error }) }
      }
    }
    const answer = await pass(passing)
    if (passing.method === "GET" || !answer.text.includes("REFUND_EXCEEDS_PAYMENT")) return answer
    const text = answer.text.replace("REFUND_EXCEEDS_PAYMENT", "TEMPORARILY_UNAVAILABLE")
    return { ...answer, status: 503, text }
  }
}

let runs = 0

const play = async (options: Partial<BlackboxOptions>) => {
  runs += 1
  const played = await playBlackbox({
    url: app.url,
    keys: { type: "operator", admin: ADMIN_KEY },
    script: script(6, 3),
    receiver_port: 0,
    run: `test-${runs}`,
    ...options,
  })
  return { played, report: reportOf(played, options.script ?? script(6, 3)) }
}

/** The numbers of the invariants that did not hold. */
const broken = ({
  invariants,
}: {
  readonly invariants: ReadonlyArray<{ readonly number: number; readonly violations: number }>
}) => invariants.flatMap(({ number, violations }) => (violations > 0 ? [number] : []))

describe("what is judged from outside", () => {
  test("has the numbers and names of the simulated world, and numbers of its own", () => {
    const known = new Map(invariants.map(({ name, number }) => [number, name]))
    const all = outsideInvariants({})
    expect(new Set(all.map(({ number }) => number)).size).toBe(all.length)
    expect(INTERFACE.filter(({ number }) => known.has(number))).toEqual([])
    const shared = all.slice(0, -INTERFACE.length)
    expect(shared.filter(({ name, number }) => known.get(number) !== name)).toEqual([])
    expect(shared.length + leftOut.length).toBe(invariants.length)
  })

  test("is what the README lists", async () => {
    const readme = await sourceText("apps/simulate/blackbox/README.md")
    const listed = [...readme.matchAll(/^\| (\d+) \| (.+?) \| (.+?) \|/gm)]
    expect(listed.map(([, number, name, section]) => `${number} ${name} (${section})`)).toEqual(
      INTERFACE.map(({ name, number, section }) => `${number} ${name} (${section})`),
    )
  })
})

/** Starts a proxy before the service and one before the receivers; returns the URL. */
const startFlawed = async (meddle: Meddle, meddleWithHooks: Meddle): Promise<string> => {
  let receivers = ""
  const hooks = await startProxy(() => receivers, meddleWithHooks)
  onTestFinished(hooks.close)
  const api = await startProxy(
    () => app.url,
    (passing, pass) => {
      // A request that registers a receiver contains its address.
      const { origin } = URL.parse(/http:\/\/127[^"]+\/hook/.exec(passing.body)?.[0] ?? "") ?? {}
      receivers = origin ?? receivers
      const body = origin === undefined ? passing.body : passing.body.replace(origin, hooks.url)
      return meddle({ ...passing, body }, pass)
    },
  )
  onTestFinished(api.close)
  return api.url
}

describe("a scenario against a running service", () => {
  test("finds nothing wrong with a sound one, and has looked at everything", async () => {
    const { played, report } = await play({})
    expect(report.violations).toEqual([])
    expect(played.payments.length).toBeGreaterThanOrEqual(5)
    expect(played.arrivals).toBeGreaterThan(20)
    const unseen = report.invariants.filter(({ checks }) => checks === 0)
    expect(unseen.map(({ number }) => number)).toEqual([])
  })

  test("notices what a service gets wrong, by the invariants that are about it", async () => {
    const { report } = await play({ url: await startFlawed(flawed(), twice) })
    expect(broken(report)).toEqual(expect.arrayContaining(EXPECTED))
    const [first] = report.violations
    expect(first).toMatchObject({ name: expect.any(String), finding: expect.any(String) })
  })

  test("notices secrets that do not sign, and what is never done; a delay is none", async () => {
    const url = await startFlawed(puttingOff(), forgetful)
    const { report } = await play({ url, script: script(12, 3) })
    expect(broken(report)).toEqual([32, 53])
    const found = report.violations.filter(({ number }) => number === 53)
    expect(new Set(found.map(({ subject }) => subject))).toEqual(new Set(["POST /v1/refunds"]))
  })

  test("notices three flaws at once, of time and of money", async () => {
    const proxy = await startProxy(() => app.url, late)
    onTestFinished(proxy.close)
    const { report } = await play({ url: proxy.url, script: script(12, 3) })
    expect(broken(report)).toEqual(expect.arrayContaining([14, 29, 87]))
  })
})

test("a run that is ended keeps what it has seen, and says what it has not", async () => {
  const ending = new AbortController()
  const onProgress = () => ending.abort()
  const options = { signal: ending.signal, onProgress, script: script(12, 3) }
  const ended = await play({ ...options, url: await startFlawed(flawed(), twice) }).catch(
    (error: unknown) => error,
  )
  if (!(ended instanceof CutShort)) throw new Error("It was not cut short.", { cause: ended })
  const { played } = ended
  expect(played.cutShort).toBe(true)
  expect(played.payments.length).toBeGreaterThan(0)
  expect(reportOf(played, options.script).violations).not.toEqual([])
  const notes = notesOf(played, options.script).join("\n")
  expect(notes).toMatch(/^The run ended before its time: /)
  expect(notes).toMatch(/^Invariants that judged nothing here: .*\b55\b/m)
  const unchanged = { ...played, replaced: 0, sealed: 0, arrivals: 9 }
  expect(notesOf(unchanged, options.script)).toEqual(
    expect.arrayContaining([
      "No secret of webhooks was replaced.",
      "No webhook that arrived was encrypted.",
    ]),
  )
  const changed = notesOf({ ...played, replaced: 1, sealed: 1 }, options.script).join()
  expect(changed).not.toMatch(/No secret|encrypted/)
})

const counted: Meddle = (passing, pass) => pass(passing)

describe("what cannot be played with", () => {
  test("is said in a sentence: nothing there, something else, a wrong key", async () => {
    await expect(play({ url: "http://127.0.0.1:1" })).rejects.toThrow(
      /^http:\/\/127\.0\.0\.1:1 does not answer GET \/openapi\.json: connection refused/,
    )
    const other = await startProxy(
      () => app.url,
      () => Promise.resolve({ status: 200, headers: {}, text: "hello" }),
    )
    onTestFinished(other.close)
    await expect(play({ url: other.url })).rejects.toThrow(/does not describe a payport \(200\)/)
    await expect(play({ keys: { type: "operator", admin: "wrong" } })).rejects.toThrow(
      /refuses the operator's key \(401 INVALID_API_KEY\)\. Give --admin-key the right one/,
    )
    const keys = { type: "accounts", seller: app.seller.api_key.key, buyer: "wrong" } as const
    await expect(play({ keys })).rejects.toThrow(/Give --buyer-key the right one/)
  })

  test("a service that takes no payment is not found well", async () => {
    const error = { code: "SERVICE_NOT_ACTIVE", message: "No.", request_id: "r", details: null }
    const closed: Meddle = (passing, pass) =>
      passing.method === "POST" && /^\/v1\/pay[a-z-]+(\/one-time)?$/.test(passing.path)
        ? Promise.resolve({ status: 409, headers: {}, text: JSON.stringify(error) })
        : pass(passing)
    const proxy = await startProxy(() => app.url, closed)
    onTestFinished(proxy.close)
    await expect(play({ url: proxy.url })).rejects.toThrow(
      /^No payment was made, .* Requests were refused with: SERVICE_NOT_ACTIVE \d+/,
    )
  })

  test("a live service is refused before anything is written there", async () => {
    const live = await startApp()
    onTestFinished(live.stop)
    const proxy = await startProxy(() => live.url, counted)
    onTestFinished(proxy.close)
    await expect(play({ url: proxy.url })).rejects.toThrow(/is in live mode.*--live-checks/)
    expect([...proxy.methods.keys()]).toEqual(["GET"])
  })
})

describe("checks that only read", () => {
  const key = () => app.seller.api_key.key

  beforeAll(async () => {
    const keys = { type: "accounts", seller: key(), buyer: app.buyer.api_key.key } as const
    const payees = [{ weight: 1, persona: "generous" }] as const
    const scenario = { ...mixed, payees, payers: [{ weight: 1, persona: "hasty" }] as const }
    const amount = { least: 100, most: 500 }
    const drawn = drawScript({ seed: 2, intents: 2, faults: {}, scenario: { ...scenario, amount } })
    const { report } = await play({ keys, script: { ...drawn, faults: {} } })
    expect(report.violations).toEqual([])
  })

  test("find nothing wrong with a sound account, and send nothing but GET", async () => {
    const proxy = await startProxy(() => app.url, counted)
    onTestFinished(proxy.close)
    const { mode, report } = await checkLive(proxy.url, key())
    expect(report.violations).toEqual([])
    expect(mode).toBe("sandbox")
    expect(report.intents).toBeGreaterThan(1)
    expect([...proxy.methods.keys()]).toEqual(["GET"])
    const checked = report.invariants.map(({ number }) => number)
    expect(checked).toEqual(expect.arrayContaining([2, 6, 12, 14, 15, 28, 30, 55, 202, 203, 204]))
  })

  test("notice wrong stamps, a wrong balance and what should not be there", async () => {
    const proxy = await startProxy(
      () => app.url,
      async (passing, pass) => {
        const answer = await pass(passing)
        if (passing.path === "/v1/balance") {
          return { ...answer, text: answer.text.replace('"fees_due":', '"fees_due":1') }
        }
        if (answer.status === 404) return { ...answer, status: 200 }
        const early = '"succeeded_at":"2020-01-01T00:00:00.000Z"'
        return { ...answer, text: answer.text.replace(/"succeeded_at":"[^"]+"/, early) }
      },
    )
    onTestFinished(proxy.close)
    const { report } = await checkLive(proxy.url, key())
    expect(broken(report)).toEqual(expect.arrayContaining([15, 201, 202, 204]))
  })

  test("hold refunds to the rules that the service lists of its channels", async () => {
    const proxy = await startProxy(
      () => app.url,
      async (passing, pass) => {
        const answer = await pass(passing)
        if (passing.path !== "/v1/channels") return answer
        return { ...answer, text: answer.text.replace(/"window_days":\d+/g, '"window_days":0') }
      },
    )
    onTestFinished(proxy.close)
    const { report } = await checkLive(proxy.url, key())
    expect(broken(report)).toEqual([40])
  })

  test("need no key for what is open to everybody, and work in live mode", async () => {
    const live = await startApp()
    onTestFinished(live.stop)
    const { mode, report } = await checkLive(live.url, undefined)
    expect({ mode, violations: report.violations }).toEqual({ mode: "live", violations: [] })
    expect(report.operations).toBeGreaterThan(5)
  })
})

test("an interrupted run switches the channels' faults off, and ends with 130", async () => {
  const keys = ["--url", app.url, "--admin-key", ADMIN_KEY]
  const args = [program("simulate"), ...keys, "--payments", "60", "--json"]
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] })
  onTestFinished(() => void child.kill("SIGKILL"))
  const said = { err: "", out: "" }
  child.stdout.on("data", (text: Buffer) => (said.out += text.toString()))
  child.stderr.on("data", (text: Buffer) => {
    const isFirst = !said.err.includes(" of 60 payments")
    said.err += text.toString()
    if (isFirst && said.err.includes(" of 60 payments")) child.kill("SIGINT")
  })
  const [code] = (await once(child, "close")) as [number | null]
  expect(said.err).toContain("The run was ended; the channels' faults are off.")
  expect(code).toBe(130)
  expect(JSON.parse(said.out)).toMatchObject({
    cut_short: "The run was ended; the channels' faults are off.",
    violations: [],
    invariants: expect.arrayContaining([expect.objectContaining({ violations: 0 })]),
  })
}, 60_000)
