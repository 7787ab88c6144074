import { setTimeout as sleep } from "node:timers/promises"
import { type Bench, type Running, withService } from "../Bench.ts"
import { EVERYWHERE, seedServices, wordsAt } from "../seedServices.ts"
import { spentOn } from "../processorTime.ts"
import { profiled } from "../profile/profiled.ts"

/** The number of manifests in the smaller registry. */
const FEW = 10_000

/** Milliseconds that no search may take, but for one in a hundred. */
const TARGETS = { few: 10, many: 25 }

/** Minutes that the index has to be filled in. */
const LONGEST_FILL = 30

/** Searches of one kind, by their times in milliseconds. */
export interface SearchTime {
  readonly name: string
  readonly p50: number
  readonly p99: number
  /** Milliseconds of a core that a search costs the service and the database, on average. */
  readonly service: number
  readonly database: number
}

/** The times of searches in a registry of one size. */
export interface SearchTimes {
  readonly manifests: number
  readonly rows: ReadonlyArray<SearchTime>
  /** Seconds until the manifests were in the index, and its bytes for each of them. */
  readonly filled: number
  readonly bytes: number
  readonly target: number
  readonly met: boolean
}

/** A kind of search: its question is made anew for each. */
interface Kind {
  readonly name: string
  readonly ask: (n: number) => { readonly path: string; readonly body?: object }
  /** Whether the search has results. */
  readonly finds: boolean
}

const service = (query: { readonly [name: string]: string }) => ({
  path: `/v1/services?${new URLSearchParams(query)}`,
})

const market = (query: object) => ({
  path: "/mcp/market",
  body: {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "search_services", arguments: query },
  },
})

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"]

const kindsOf = (
  dense: ReadonlyArray<string>,
  middle: ReadonlyArray<string>,
  sparse: ReadonlyArray<string>,
): ReadonlyArray<Kind> => {
  const at = (words: ReadonlyArray<string>, n: number): string => words[n % words.length] ?? ""
  const two = (n: number) => `${at(dense, n)} ${at(dense, n + 1)}`
  const found = (name: string, ask: Kind["ask"]): Kind => ({ name, ask, finds: true })
  const asked = (name: string, ask: Kind["ask"]): Kind => ({ name, ask, finds: false })
  return [
    found("no words", () => service({})),
    found("a word of every text", () => service({ q: EVERYWHERE })),
    found("a frequent word", (n) => service({ q: at(dense, n) })),
    found("a word of one in thirty", (n) => service({ q: at(middle, n) })),
    found("a rare word", (n) => service({ q: at(sparse, n) })),
    found("one letter", (n) => service({ q: at(["a", "e", "i", "o", "s", "t"], n) })),
    found("two frequent words", (n) => service({ q: two(n) })),
    found("a frequent and a rarer word", (n) => service({ q: `${EVERYWHERE} ${at(middle, n)}` })),
    asked("a word of nobody", (n) => service({ q: `zzqx${n}` })),
    found("a frequent word and a channel", (n) =>
      service({ q: at(dense, n), channel: "wallet_a" }),
    ),
    found("a channel and a method", () =>
      service({ channel: "wallet_a", payment_method: "one_time" }),
    ),
    found("the last page", (n) => service({ q: EVERYWHERE, offset: String(FEW - 100 + n) })),
    found("the market, with a price", (n) =>
      market({ query: at(dense, n), currency: "USD", max_price: 20_000 + n }),
    ),
    found("the market, a word of every text", () => market({ query: EVERYWHERE })),
    asked("every letter at once", (n) => service({ q: LETTERS.slice(n % 5).join(" ") })),
    asked("signs", (n) => service({ q: `'&|!:*()${"<->".repeat(n)}\\` })),
    asked("256 characters", (n) => service({ q: `${at(dense, n)} `.repeat(60) })),
  ]
}

/** How often each search is measured, after some that are not counted. */
const ASKED = 100
const BEFORE = 10

const percentile = (times: ReadonlyArray<number>, part: number): number => {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? Infinity
}

const send = async (
  { service: { buyerKey, url } }: Running,
  { ask, finds, name }: Kind,
  n: number,
): Promise<number> => {
  const { body, path } = ask(n)
  const started = performance.now()
  const answer = await fetch(url + path, {
    headers: {
      authorization: `Bearer ${buyerKey}`,
      accept: "application/json, text/event-stream",
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  const took = performance.now() - started
  const isEmpty = /"data":\[\]|\\"found\\":0\b|"found":0\b/.test(text)
  if (!answer.ok || (finds && isEmpty)) {
    throw new Error(`${name} was answered ${answer.status}: ${text.slice(0, 300)}`)
  }
  return took
}

const measureKind = async (bench: Bench, running: Running, kind: Kind): Promise<SearchTime> => {
  for (let n = 0; n < BEFORE; n++) await send(running, kind, n)
  const { result: times, spent } = await spentOn(bench, running, async () => {
    const taken: Array<number> = []
    for (let n = 0; n < ASKED; n++) taken.push(await send(running, kind, n))
    return taken
  })
  const per = (seconds: number) => (1_000 * seconds) / ASKED
  return {
    name: kind.name,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    service: per(spent.service),
    database: per(spent.database),
  }
}

/** Waits until all stored manifests but the newest are in the index, and returns the seconds. */
export const fill = async (
  { server }: Bench,
  { database }: Running,
  count: number,
): Promise<number> => {
  const started = performance.now()
  for (;;) {
    const [row] = await server.query(
      database,
      `SELECT coalesce(sum(size) FILTER (WHERE standing = 'current'), 0)::int AS n,
        count(*) FILTER (WHERE standing = 'building')::int AS building FROM search_blocks`,
    )
    const seconds = (performance.now() - started) / 1_000
    if (Number(row?.["n"]) > count - 300 && Number(row?.["building"]) === 0) return seconds
    if (seconds > 60 * LONGEST_FILL) throw new Error("The index of searches is not filled.")
    await sleep(500)
  }
}

const measure = async (
  bench: Bench,
  running: Running,
  manifests: number,
  target: number,
): Promise<SearchTimes> => {
  const { progress, server } = bench
  const { database } = running
  const what = `search: ${manifests.toLocaleString("en-US")} manifests`
  await progress.step(`${what}, storing them`, 10 + manifests / 5_000, () =>
    seedServices(server, running, manifests),
  )
  const filled = await progress.step(`${what}, filling the index`, 20 + manifests / 3_000, () =>
    fill(bench, running, manifests),
  )
  await server.query(database, "VACUUM ANALYZE search_postings")
  const dense = await wordsAt(server, database, [1, 2, 3, 4, 5, 6])
  const middle = await wordsAt(server, database, [100, 110, 120, 130, 140, 150])
  const sparse = await wordsAt(server, database, [5_000, 5_100, 5_200, 5_300, 5_400])
  const kinds = kindsOf(dense, middle, sparse)
  const { result: rows } = await progress.step(`${what}, asking`, 30, () =>
    profiled(bench, running, async () => {
      const measured: Array<SearchTime> = []
      for (const kind of kinds) measured.push(await measureKind(bench, running, kind))
      return measured
    }),
  )
  const [size] = await server.query(
    database,
    "SELECT pg_total_relation_size('search_postings')::float8 AS bytes",
  )
  return {
    manifests,
    rows,
    filled,
    bytes: Number(size?.["bytes"]) / manifests,
    target,
    met: rows.every(({ p99 }) => p99 < target),
  }
}

/** Searches of small and large registries through HTTP, of every kind. */
export const measureSearch = async (bench: Bench): Promise<ReadonlyArray<SearchTimes>> => {
  const sizes = [
    { count: FEW, target: TARGETS.few },
    { count: bench.options.manifests, target: TARGETS.many },
  ].filter(({ count }, n) => n === 0 || count !== FEW)
  const found: Array<SearchTimes> = []
  for (const [n, { count, target }] of sizes.entries()) {
    found.push(
      await withService(
        bench,
        `bench_search_${n}`,
        (running) => measure(bench, running, count, target),
        { inspected: bench.options.profile !== undefined },
      ),
    )
  }
  return found
}
