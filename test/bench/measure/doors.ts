import { fileURLToPath } from "node:url"
import { type Job, KEY, type Outcome } from "../../../apps/bench/load/Job.ts"
import { median } from "../../../apps/bench/statistics.ts"
import { type Bench, type Running, withService } from "../Bench.ts"
import { type Forked, withForked } from "../forked.ts"
import { runLoad } from "../load.ts"
import { profiled } from "../profile/profiled.ts"
import { type Area, areasOf } from "../profile/summarise.ts"
import { spentOn } from "../processorTime.ts"
import { SEEDED_PREFIX, seedIntents } from "../seed.ts"

const KOA = fileURLToPath(import.meta.resolve("../koa/main.ts"))

const STORED = 10_000

/** Requests of one kind, medians of the rounds. */
export interface Door {
  readonly name: string
  /** A second. */
  readonly rate: number
  /** Milliseconds that 99 of 100 answers stay within. */
  readonly p99: number
  /** Microseconds of a core a request: of the process that answers, and of its database. */
  readonly process: number
  readonly database: number
}

/** One kind of request beside another, round by round. */
export interface DoorRatio {
  readonly name: string
  readonly ratio: number
  readonly target: number
  readonly met: boolean
}

/** The cost of a request by its protocol. */
export interface Doors {
  readonly doors: ReadonlyArray<Door>
  readonly ratios: ReadonlyArray<DoorRatio>
  /** Microseconds of the service's thread a purchase by MCP, where a profile was asked for. */
  readonly areas: ReadonlyArray<Area>
}

const shownAt = async ({ service, shop }: Running): Promise<string> => {
  const headers = { authorization: `Bearer ${service.buyerKey}` }
  const answer = await fetch(`${service.url}/v1/payment-intents/${shop.intentId}`, { headers })
  if (!answer.ok) throw new Error(`The payment was answered ${answer.status}.`)
  return answer.text()
}

/** One purchase, as a body of One-Time Pay and as a call of the service's tool. */
const purchaseOf = ({ shop }: Running) => {
  const { amount, description, metadata, payer_channel, return_url } = JSON.parse(shop.body) as {
    readonly amount: { readonly value: number; readonly currency: string }
    readonly metadata: object
    readonly [field: string]: unknown
  }
  const { agentId: agent_id, serviceId: service_id } = shop
  const bought = {
    description,
    channel: payer_channel,
    return_url,
    // A purchase is identified by service, payer and metadata, whatever its key.
    metadata: { ...metadata, order_id: KEY },
  }
  return {
    link: {
      type: "link",
      body: JSON.stringify({ service_id, amount, payer: { agent_id }, ...bought }),
    },
    tool: {
      type: "tool",
      name: `${service_id}__pay_one_time`,
      arguments: {
        manifest_id: service_id,
        amount: amount.value,
        currency: amount.currency,
        ...bought,
        idempotency_key: KEY,
      },
    },
  } as const
}

const NAMES = ["HTTP purchase", "MCP purchase", "GET", "bare Koa"] as const
type Name = (typeof NAMES)[number]

interface Round {
  readonly outcome: Outcome
  readonly process: number
  readonly database: number
}

const take = async (bench: Bench, running: Running, koa: Forked) => {
  const { options, progress, server } = bench
  const { connections, rounds, seconds, warmUp } = options
  const { service } = running
  const { link, tool } = purchaseOf(running)
  const read = { type: "get", idPrefix: `pi_${SEEDED_PREFIX}`, count: STORED } as const
  const jobs: { readonly [N in Name]: Pick<Job, "url" | "request"> & { readonly pid: number } } = {
    "HTTP purchase": { ...service, request: link },
    "MCP purchase": { ...service, request: tool },
    GET: { ...service, request: read },
    "bare Koa": { ...koa, request: read },
  }
  const round = async (name: Name, milliseconds: number): Promise<Round> => {
    const { pid, request, url } = jobs[name]
    const until = { milliseconds }
    const job = { url, connections, key: service.buyerKey, request, warmUp: 0, until }
    await server.checkpoint()
    const of = { service: { pid }, database: running.database }
    const { result: outcome, spent } = await spentOn(bench, of, () => runLoad(job))
    const each = 1e6 / outcome.acknowledged
    return { outcome, process: spent.service * each, database: spent.database * each }
  }
  const found = new Map<Name, Array<Round>>(NAMES.map((name) => [name, []]))
  for (const name of NAMES) {
    if (warmUp > 0)
      await progress.step(`doors: warm-up, ${name}`, warmUp, () => round(name, warmUp * 1_000))
  }
  for (let number = 1; number <= rounds; number++) {
    for (const name of NAMES) {
      const what = `doors: ${name}, round ${number} of ${rounds}`
      const done = await progress.step(what, seconds, () => round(name, seconds * 1_000))
      found.get(name)?.push(done)
    }
  }
  if (bench.options.profile === undefined) return { found, areas: [] }
  const { profile, result } = await progress.step("doors: profile", seconds, () =>
    profiled(bench, running, () => round("MCP purchase", seconds * 1_000)),
  )
  const areas = profile === undefined ? [] : areasOf(profile, result.outcome.acknowledged)
  return { found, areas }
}

const doorOf = ([name, rounds]: readonly [Name, ReadonlyArray<Round>]): Door => ({
  name,
  rate: median(rounds.map(({ outcome }) => outcome.rate)),
  p99: median(rounds.map(({ outcome }) => outcome.latency.p99)),
  process: median(rounds.map((round) => round.process)),
  database: name === "bare Koa" ? 0 : median(rounds.map(({ database }) => database)),
})

/**
 * The same purchase by HTTP and by MCP, and the reading of a payment beside an app of Koa's that
 * answers with a constant one, in turns.
 */
export const measureDoors = (bench: Bench): Promise<Doors> => {
  const measured = async (running: Running): Promise<Doors> => {
    await bench.progress.step("doors: storing 10,000 payments", 5, () =>
      seedIntents(bench.server, running, STORED),
    )
    const { areas, found } = await withForked(KOA, [await shownAt(running)], (koa) =>
      take(bench, running, koa),
    )
    const beside = (ours: Name, theirs: Name, of: (outcome: Outcome) => number) => {
      const others = found.get(theirs) ?? []
      const own = found.get(ours) ?? []
      return median(
        own.flatMap(({ outcome }, number) => {
          const other = others[number]
          return other === undefined ? [] : [of(outcome) / of(other.outcome)]
        }),
      )
    }
    const rate = (outcome: Outcome) => outcome.rate
    const mcp = beside("MCP purchase", "HTTP purchase", rate)
    const get = beside("GET", "bare Koa", rate)
    const p99 = beside("GET", "bare Koa", ({ latency }) => latency.p99)
    return {
      areas,
      doors: [...found].map(doorOf),
      ratios: [
        { name: "purchase by MCP ÷ by HTTP, requests/s", ratio: mcp, target: 0.7, met: mcp >= 0.7 },
        { name: "GET ÷ bare Koa, requests/s", ratio: get, target: 0.4, met: get >= 0.4 },
        { name: "GET ÷ bare Koa, p99", ratio: p99, target: 3, met: p99 <= 3 },
      ],
    }
  }
  const inspected = bench.options.profile !== undefined
  return withService(bench, "bench_doors", measured, { inspected })
}
