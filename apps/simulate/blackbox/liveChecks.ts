import { DAY, SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"
import { isTerminal } from "../../../simulator/auditor/invariants/lifecycle.ts"
import {
  flowOf,
  type SeenPayment,
  type SeenRefund,
  timeOf,
} from "../../../simulator/blackbox/Seen.ts"
import { Witness } from "../../../simulator/blackbox/Witness.ts"
import { NO_FAULTS } from "../../../simulator/faults/Faults.ts"
import { isSound, type Report } from "../../../simulator/Report.ts"
import { paidOf, printOutcome, statusesOf, timelineOf } from "./reportOf.ts"
import { callWith } from "../again.ts"
import { CannotPlay, HttpConnection } from "./HttpConnection.ts"
import { type Books, lookAt, readList } from "./judge.ts"
import { checkAccountKey, identifyService } from "./identifyService.ts"
import type { LiveChecks } from "./options.ts"
import { setTimeout as sleep } from "node:timers/promises"
import { Latencies } from "../../../simulator/report/Latencies.ts"
import { judgeReply, routeOf, waitOf } from "./judgeReply.ts"

const OK = 200
const ATTEMPTS = 5

/** Reads existing and missing resources, and never changes anything. */
export class Reader {
  readonly latencies = new Latencies()
  readonly #http: HttpConnection
  readonly #key: string | undefined
  readonly #witness: Witness

  constructor(http: HttpConnection, witness: Witness, key: string | undefined) {
    this.#http = http
    this.#witness = witness
    this.#key = key
  }

  /** Returns the status and body of a response after a check of its form; waits if asked to. */
  async ask(path: string, key = this.#key) {
    for (let attempt = 0; ; attempt += 1) {
      const from = performance.now()
      const reply = await this.#http.send({ method: "GET", path, key })
      if (reply === undefined) throw new CannotPlay(`GET ${path} was not answered.`)
      const to = performance.now()
      this.latencies.measure(routeOf({ method: "GET", path }), to - from)
      const code = judgeReply(this.#witness.auditor, "GET", path, reply)
      if (code === "RATE_LIMIT_EXCEEDED" && attempt < ATTEMPTS) {
        await sleep(Math.max(waitOf(reply), SECOND))
        continue
      }
      const json = code === undefined ? reply.json : undefined
      return { status: reply.status, json, span: { from, to } }
    }
  }

  /** Reads a path; undefined if it is refused. */
  readonly get = async <A>(path: string): Promise<A | undefined> => {
    const { json, status } = await this.ask(path)
    return status === OK ? (json as A) : undefined
  }
}

/** How many payments are checked, the newest first, and from how many days. */
const PAYMENTS = 200
const DAYS = 60

/** Longer than anything runs that is not checked by its schedule. */
const QUIET = DAY

/** Unknown ids: no response may distinguish them from those of other accounts. */
const ABSENT = "00000000-0000-7000-8000-000000000000"

/** Expects an error with that status. */
const wantRefused = async (
  reader: Reader,
  witness: Witness,
  path: string,
  statuses: ReadonlyArray<number>,
  key?: string,
): Promise<void> => {
  const { status } = await reader.ask(path, key)
  const flaw = statuses.includes(status)
    ? undefined
    : `was answered ${status}, and ${statuses.join(" or ")} is due`
  witness.auditor.see("refusal", path, { where: `GET ${path}`, flaw })
}

const LISTS = ["payment-intents", "refunds", "webhook-deliveries", "webhook-endpoints"] as const
const PREFIXES = {
  "payment-intents": "pi_",
  refunds: "ref_",
  "webhook-deliveries": "wd_",
  "webhook-endpoints": "we_",
}

/** Checks what is open to everybody: health, and the form of errors. */
const lookAround = async (reader: Reader, witness: Witness, hasKey: boolean): Promise<void> => {
  for (const path of ["/healthz", "/readyz", "/openapi.json"]) {
    const { status } = await reader.ask(path)
    const flaw = status === OK ? undefined : `was answered ${status}`
    witness.auditor.see("shape", path, { where: `GET ${path}`, flaw })
  }
  for (const list of LISTS) {
    await wantRefused(reader, witness, `/v1/${list}?limit=1`, [401], "sk_test_nobody")
    if (!hasKey) continue
    await wantRefused(reader, witness, `/v1/${list}/${PREFIXES[list]}${ABSENT}`, [404])
    await wantRefused(reader, witness, `/v1/${list}/%27--`, [404])
    await wantRefused(reader, witness, `/v1/${list}?limit=0`, [400])
    await wantRefused(
      reader,
      witness,
      `/v1/${list}?starting_after=${PREFIXES[list]}${ABSENT}`,
      [400],
    )
  }
}

/** Whether nothing runs any more for a payment whose records were all read. */
const isQuiet = (
  seen: SeenPayment,
  refunds: ReadonlyArray<SeenRefund>,
  { since }: Books,
  period: { readonly from: Timestamp; readonly to: Timestamp },
): boolean => {
  const before = period.to - QUIET
  const created = timeOf(seen.created_at)
  return (
    isTerminal(flowOf(seen), seen.status) &&
    timeOf(seen.expires_at) < before &&
    timeOf(seen.succeeded_at) < before &&
    created > Math.max(since, period.from) &&
    refunds.every(({ status, updated_at }) => status !== "pending" && timeOf(updated_at) < before)
  )
}

/** Checks the account's own payments, each with its refunds, rows and events. */
const lookAtPayments = async (
  reader: Reader,
  witness: Witness,
  books: Books,
  period: { readonly from: Timestamp; readonly to: Timestamp },
): Promise<ReadonlyArray<SeenPayment>> => {
  const { get } = reader
  const list = await readList<SeenPayment>(get, witness, "/v1/payment-intents", PAYMENTS)
  const name = books.account.account_id
  const parties = { account_id: name, payee_account_id: name, payer_account_id: null }
  for (const listed of list.rows.slice(0, PAYMENTS)) {
    const at = performance.now()
    witness.service(listed.service_id)
    witness.made(listed, parties, flowOf(listed), { from: at, to: at })
    const { json, span, status } = await reader.ask(`/v1/payment-intents/${listed.id}`)
    if (status !== OK) witness.gone(listed.id)
    const seen = json as SeenPayment | undefined
    if (seen === undefined) continue
    witness.shown(seen, span)
    const path = `/v1/refunds?payment_intent=${listed.id}`
    const refunds = (await readList<SeenRefund>(get, witness, path)).rows
    // Only the payee sees the fees; its books and log have the payment.
    if (seen.fees === undefined || !isQuiet(seen, refunds, books, period)) continue
    const ids = new Set([seen.id, ...refunds.map(({ id }) => id)])
    witness.resting({
      seen,
      parties,
      acknowledged: listed,
      refunds,
      refund_rules: books.rules.get(seen.channel),
      revokes: new Map(),
      events: books.account.events
        .filter(({ data }) => ids.has(String(data["id"])) || ids.has(String(data["refund_id"])))
        .map((event) => ({ ...event, account_id: name })),
      entries: books.entries.get(seen.id) ?? [],
      paid: true,
      done: new Set(),
      samePurchase: [],
      eventsOfThose: [],
    })
  }
  return list.rows
}

const NOTHING = { statuses: {}, paid: 0, timelines: [], payments: 0 }

/** Checks an account's own records; nothing without a key. */
const lookAtAccount = async (reader: Reader, witness: Witness) => {
  const balance = await reader.get<{ readonly as_of: string }>("/v1/balance")
  const to = timeOf(balance?.as_of)
  const period = { from: to - DAYS * DAY, to, rests: false }
  const looked = { name: "the account", get: reader.get, services: new Set<string>() }
  const books = await lookAt(witness, looked, period)
  const payments = await lookAtPayments(reader, witness, books, period)
  return {
    statuses: statusesOf(payments),
    paid: paidOf(payments),
    timelines: payments.slice(0, 60).map((seen) => timelineOf(witness, period.from, seen)),
    payments: payments.length,
  }
}

const NOTES = [
  "Whatever has to be done to be seen: only GET requests were sent.",
  `Payments beyond the newest ${PAYMENTS}, and what is older than ${DAYS} days.`,
]

/** The results of the checks of a service. */
export interface Checked {
  readonly report: Report
  readonly mode: "sandbox" | "live"
}

/**
 * Checks a service in any mode with reads only: no request changes anything. Without a key, only
 * what is open to everybody is checked. Throws `CannotPlay` if nothing can be read.
 */
export const checkLive = async (url: string, key: string | undefined): Promise<Checked> => {
  const http = new HttpConnection(url)
  const witness = new Witness(Date.now, { resting: false })
  const reader = new Reader(http, witness, key)
  try {
    const { sandbox } = await identifyService(http)
    if (key !== undefined) await checkAccountKey(http, key, "key")
    await lookAround(reader, witness, key !== undefined)
    const seen = key === undefined ? NOTHING : await lookAtAccount(reader, witness)
    const report: Report = {
      seed: 0,
      scenario: "live_checks",
      intents: seen.payments,
      operations: http.requests,
      trace_hash: "",
      trace_steps: 0,
      invariants: witness.auditor.tallies().filter(({ checks }) => checks > 0),
      violations: witness.auditor.violations,
      faults: {},
      settings: NO_FAULTS,
      steps: {},
      pairs: {},
      statuses: seen.statuses,
      paid: seen.paid,
      latencies: reader.latencies.counts(),
      timelines: seen.timelines,
      virtual_ms: 0,
    }
    return { report, mode: sandbox ? "sandbox" : "live" }
  } finally {
    await http.close()
  }
}

/** Checks a service with reads only and prints the result. Returns the exit code. */
export const runLiveChecks = async (options: LiveChecks) => {
  const { key, url } = options
  const started = performance.now()
  const { mode, report } = await checkLive(url, key)
  const wall_ms = performance.now() - started
  const about = `Checks that only read, of a service in ${mode} mode`
  const own = key === undefined ? [] : ["--key", "KEY"]
  const again = callWith("--url", url, "--live-checks", ...own)
  printOutcome({ report, about, notes: NOTES, wall_ms, url, again }, options)
  return isSound(report) ? 0 : 1
}
