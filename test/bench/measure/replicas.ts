import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { openShop } from "../../../apps/bench/shop.ts"
import { median } from "../../../apps/bench/statistics.ts"
import { Postgres } from "../../chaos/Postgres.ts"
import { untilStates } from "../../chaos/replicas/Followed.ts"
import { pair } from "../../chaos/standby.ts"
import { type Bench, create, type Running } from "../Bench.ts"
import { type Server, serverOn } from "../database.ts"
import { cpuOf } from "../processes.ts"
import { spentOn } from "../processorTime.ts"
import { seedIntents } from "../seed.ts"
import { seedServices, wordsAt } from "../seedServices.ts"
import { newKeys, startService } from "../service.ts"
import { fill } from "./search.ts"

const PAYMENTS = 10_000
const MANIFESTS = 10_000

/** The number of simultaneous lists or searches. */
const AT_ONCE = 8

/** The cost of a request, in microseconds of a core. */
interface Spent {
  readonly service: number
  /** The sessions that the service has with the primary, and with the replica. */
  readonly primary: number
  readonly replica: number
}

/** A kind of request without a replica and with one, medians of the rounds. */
export interface ReplicaCost {
  readonly name: string
  readonly without: Spent
  readonly with: Spent
  /** The cost with a replica divided by the cost without one, round by round. */
  readonly ratio: { readonly service: number; readonly primary: number }
  /** The share of answers from the replica; null if none may come from it. */
  readonly answered: number | null
}

/** The work that a replica takes from the primary, and its cost. */
export interface ReplicaCosts {
  readonly rows: ReadonlyArray<ReplicaCost>
  /** Microseconds of a core that sending the log of a creation to a replica costs the primary. */
  readonly sending: number
}

/** One in twenty payments is the buyer's; the others belong to 500 more accounts. */
const OTHERS = `UPDATE payment_intents SET (account_id, payer_account_id, payee_account_id) =
  (SELECT buyer, buyer, md5('seller ' || who)::uuid
    FROM (SELECT n % 500 AS who, md5('buyer ' || n % 500)::uuid AS buyer) AS other)
  FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM payment_intents) AS numbered
  WHERE payment_intents.id = numbered.id AND n % 20 <> 1`

interface Setting {
  readonly bench: Bench
  readonly primary: Postgres
  readonly replica: Server
  readonly without: Running
  readonly with: Running
  readonly words: ReadonlyArray<string>
}

/** The number of answered requests, and of those answered by a replica. */
interface Done {
  readonly count: number
  readonly apart: number
}

type Work = (setting: Setting, running: Running) => Promise<Done>

/** Reads with several at a time, as long as a round is. */
const reading =
  (pathOf: (setting: Setting, n: number) => string): Work =>
  async (setting, { service: { buyerKey, url } }) => {
    const until = performance.now() + 1_000 * setting.bench.options.seconds
    const headers = { authorization: `Bearer ${buyerKey}` }
    let [count, apart] = [0, 0]
    const ask = async (from: number) => {
      for (let n = from; performance.now() < until; n += AT_ONCE) {
        const path = pathOf(setting, n)
        const answer = await fetch(url + path, { headers })
        const text = await answer.text()
        if (!answer.ok || text.includes('"data":[]')) {
          throw new Error(`${path} was answered ${answer.status}: ${text.slice(0, 300)}`)
        }
        count++
        if (answer.headers.has("payport-data-age")) apart++
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => ask(n)))
    return { count, apart }
  }

const WORK: { readonly [name: string]: Work } = {
  "list of 20 payments": reading(() => "/v1/payment-intents"),
  search: reading(({ words }, n) => `/v1/services?q=${words[n % words.length] ?? ""}`),
  creation: async ({ bench }, running) => {
    const { seconds } = bench.options
    const { acknowledged } = await create(bench, running, { until: { seconds } })
    return { count: acknowledged, apart: 0 }
  },
}

interface Round extends Spent {
  readonly done: Done
  /** Of the process that sends the log to the replica, for each request. */
  readonly sending: number
}

/** Seconds of a core of all processes that send the primary's log. */
const sendingTime = async (primary: Postgres): Promise<number> => {
  const rows = await primary.manage(
    "SELECT pid FROM pg_stat_activity WHERE backend_type = 'walsender'",
  )
  const times = await Promise.all(rows.map(({ pid }) => cpuOf(Number(pid))))
  return times.reduce((sum: number, time) => sum + (time ?? 0), 0)
}

const round = async (setting: Setting, running: Running, work: Work): Promise<Round> => {
  const { bench, primary, replica } = setting
  await bench.server.checkpoint()
  // Waits until the replica answers the account that has created payments in the previous round.
  if (running === setting.with) await usedBy(running)
  const sent = await sendingTime(primary)
  const { result: inner, spent } = await spentOn(bench, running, () =>
    spentOn({ server: replica }, running, () => work(setting, running)),
  )
  const { result: done, spent: apart } = inner
  const each = 1e6 / done.count
  return {
    done,
    service: spent.service * each,
    primary: spent.database * each,
    replica: apart.database * each,
    sending: ((await sendingTime(primary)) - sent) * each,
  }
}

/** Waits until a list comes from the replica. */
const usedBy = async ({ service }: Running): Promise<void> => {
  const headers = { authorization: `Bearer ${service.buyerKey}` }
  const isUsed = async () => {
    const answer = await fetch(`${service.url}/v1/payment-intents`, { headers })
    await answer.arrayBuffer()
    return answer.headers.has("payport-data-age")
  }
  const limit = performance.now() + 60_000
  while (!(await isUsed())) {
    if (performance.now() > limit) throw new Error("The replica was not read for a minute.")
  }
}

const costOf = (
  name: string,
  without: ReadonlyArray<Round>,
  apart: ReadonlyArray<Round>,
): ReplicaCost => {
  const middle = (rounds: ReadonlyArray<Round>): Spent => ({
    service: median(rounds.map(({ service }) => service)),
    primary: median(rounds.map(({ primary }) => primary)),
    replica: median(rounds.map(({ replica }) => replica)),
  })
  const ratio = (of: "service" | "primary") =>
    median(apart.map((one, n) => one[of] / (without[n]?.[of] ?? Number.NaN)))
  const sum = (of: "count" | "apart") => apart.reduce((all, { done }) => all + done[of], 0)
  return {
    name,
    without: middle(without),
    with: middle(apart),
    ratio: { service: ratio("service"), primary: ratio("primary") },
    answered: name === "creation" ? null : sum("apart") / sum("count"),
  }
}

interface Rounds {
  readonly without: Array<Round>
  readonly with: Array<Round>
}

const take = async (setting: Setting): Promise<ReplicaCosts> => {
  const { progress, options } = setting.bench
  const found = new Map(
    Object.keys(WORK).map((name): [string, Rounds] => [name, { without: [], with: [] }]),
  )
  // The first of them warms up, and each is the first of two in every second round.
  for (let number = 0; number <= options.rounds; number++) {
    const sides = ["without", "with"] as const
    for (const [name, work] of Object.entries(WORK)) {
      for (const side of number % 2 === 0 ? sides : sides.toReversed()) {
        const what = `replicas: ${name}, round ${number} of ${options.rounds}, ${side} one`
        const done = await progress.step(what, options.seconds, () =>
          round(setting, setting[side], work),
        )
        if (number > 0) found.get(name)?.[side].push(done)
      }
    }
  }
  const creations = found.get("creation")
  return {
    rows: [...found].map(([name, { with: apart, without }]) => costOf(name, without, apart)),
    sending: median(
      [creations?.with ?? [], creations?.without ?? []].flat().map(({ sending }) => sending),
    ),
  }
}

/** Runs the service twice on one server, each with its own database and the same data. */
const withBoth = async (
  outer: Bench,
  primary: Postgres,
  standby: Postgres,
  use: (setting: Setting) => Promise<ReplicaCosts>,
): Promise<ReplicaCosts> => {
  const server = await serverOn(primary.connection, () => primary.stop())
  const replica = await serverOn(standby.connection, () => standby.stop())
  const bench = { ...outer, server }
  const { options, progress } = bench
  const [folder, keys] = [join(bench.folder, "replicas"), newKeys()]
  await mkdir(folder)
  const start = (database: string, variables = {}) =>
    startService({
      program: options.service,
      databaseUrl: server.url(database),
      folder,
      keys,
      variables,
    })
  const [plain, followed] = ["bench_without", "bench_with"]
  await server.create(plain)
  const first = await start(plain)
  const shop = await openShop(first)
  const seeded = { service: first, shop, database: plain }
  await progress.step("replicas: storing payments and manifests", 40, async () => {
    await seedIntents(server, seeded, PAYMENTS)
    await server.query(plain, OTHERS)
    await server.query(plain, "VACUUM ANALYZE payment_intents")
    await seedServices(server, seeded, MANIFESTS)
    await fill(bench, seeded, MANIFESTS)
  })
  await first.stop()
  await server.query("postgres", `CREATE DATABASE ${followed} TEMPLATE ${plain}`)
  const words = await wordsAt(server, plain, [1, 2, 3, 4, 5, 6])
  const without = { ...seeded, service: await start(plain) }
  const variables = { PAYPORT_REPLICA_URL: replica.url(followed) }
  const service = await start(followed, variables)
  try {
    if (!(await untilStates([service], "used", 120_000))) {
      throw new Error("The replica was not used within two minutes.")
    }
    const apart = { service, shop, database: followed }
    const costs = await use({ bench, primary, replica, without, with: apart, words })
    await Promise.all([without.service.stop(), service.stop()])
    return costs
  } finally {
    await Promise.all([without.service.kill(), service.kill()])
  }
}

/** Measures the cost of lists, searches and creations with and without a replica, in turns. */
export const measureReplicas = async (bench: Bench): Promise<ReplicaCosts> => {
  const [primary, standby] = [
    new Postgres(join(bench.folder, "replicas-primary")),
    new Postgres(join(bench.folder, "replicas-standby")),
  ]
  try {
    await bench.progress.step("replicas: a primary and its standby", 10, async () => {
      await primary.start()
      await primary.stop()
      await pair({ options: { asynchronous: true } }, primary, standby, {})
    })
    return await withBoth(bench, primary, standby, take)
  } finally {
    await Promise.all([primary.stop(), standby.stop()])
  }
}
