import { fileURLToPath } from "node:url"
import { median } from "../../../apps/bench/statistics.ts"
import type { Bench } from "../Bench.ts"
import type { ExchangeOutcome, Till } from "../exchange/Exchange.ts"
import { type Forked, withForked } from "../forked.ts"
import { runExchanges } from "../load.ts"
import { spentOn, used } from "../processorTime.ts"
import { profiled } from "../profile/profiled.ts"
import { type Area, areasOf } from "../profile/summarise.ts"
import { acknowledged, CHANNEL, type Lived, withLife } from "./life.ts"

const SHOP = fileURLToPath(import.meta.resolve("../exchange/shop.ts"))
const FACILITATOR = fileURLToPath(import.meta.resolve("../exchange/facilitator.ts"))

/** A build of payport, with a shop before it. */
interface Build {
  readonly lived: Lived
  readonly shop: Forked
}

/** The sellers in turns: payport's builds, of which the first counts, and the peer. */
interface Shops {
  readonly builds: ReadonlyArray<Build>
  readonly other: Forked
  readonly facilitator: Forked
}

const TARGET = 0.6

/** Exchanges of one kind, medians of the rounds; microseconds of a core each. */
export interface ExchangeCost {
  readonly name: string
  /** A second. */
  readonly rate: number
  /** Milliseconds that 99 of 100 stay within. */
  readonly p99: number
  /** Of the seller's process, including its middleware. */
  readonly seller: number
  /**
   * Of the process that the seller asks: payport's service, or the facilitator that checks nothing.
   */
  readonly asked: number
  readonly database: number
  readonly load: number
}

/** The exchange of a 402 with payport beside that with x402's own middleware. */
export interface Exchanges {
  readonly exchanges: ReadonlyArray<ExchangeCost>
  /** payport's rate by the other, and its processor time without the load's, round by round. */
  readonly ratio: number
  readonly costRatio: number
  readonly target: number
  readonly met: boolean
  /** This build's processor time divided by the other's, round by round; null without another. */
  readonly againstRatio: number | null
  /** Microseconds of the service's thread an exchange, where a profile was asked for. */
  readonly areas: ReadonlyArray<Area>
}

type Round = Omit<ExchangeCost, "name"> & { readonly count: number }

const spentBy = async <A>(pid: number, work: () => Promise<A>) => {
  const before = await used(pid)
  const result = await work()
  return { result, spent: (await used(pid)) - before }
}

const roundOf = (
  { cpu, exchanges, milliseconds, p99 }: ExchangeOutcome,
  spent: { readonly seller: number; readonly asked: number; readonly database: number },
): Round => {
  const each = 1e6 / exchanges
  return {
    count: exchanges,
    rate: (1_000 * exchanges) / milliseconds,
    p99,
    seller: spent.seller * each,
    asked: spent.asked * each,
    database: spent.database * each,
    load: cpu * each,
  }
}

const jobOf = ({ options }: Bench, shop: Forked, milliseconds: number) => ({
  url: `${shop.url}/reports/7`,
  connections: options.connections,
  milliseconds,
})

/** Exchanges at payport, until its last webhook is acknowledged. */
const own = async (bench: Bench, { lived, shop }: Build, ms: number) => {
  const { receivers, running, secret } = lived
  await receivers.forget()
  await bench.server.checkpoint()
  const channel = { url: running.service.url, name: CHANNEL, secret }
  const { result, spent } = await spentOn(bench, running, () =>
    spentBy(shop.pid, async () => {
      const outcome = await runExchanges({ ...jobOf(bench, shop, ms), channel })
      await acknowledged(receivers, outcome.exchanges)
      return outcome
    }),
  )
  const { database, service: asked } = spent
  return roundOf(result.result, { seller: result.spent, asked, database })
}

const other = async (bench: Bench, facilitator: Forked, shop: Forked, ms: number) => {
  const { result, spent: asked } = await spentBy(facilitator.pid, () =>
    spentBy(shop.pid, () => runExchanges({ ...jobOf(bench, shop, ms), channel: null })),
  )
  return roundOf(result.result, { seller: result.spent, asked, database: 0 })
}

/** Fails unless the database holds exactly the exchanges that were made, each to its end. */
const check = async ({ server }: Bench, database: string, expected: number) => {
  const [row] = await server.query(
    database,
    `SELECT count(*)::int AS n FROM challenges
     JOIN payment_intents ON right(payment_intents.id::text, 36) = right(challenges.id::text, 36)
     WHERE challenges.redeemed_at IS NOT NULL AND payment_intents.status = 'succeeded'`,
  )
  const stored = Number(row?.["n"])
  if (stored !== expected) throw new Error(`Of ${expected} exchanges, ${stored} are stored.`)
}

const middle = (name: string, rounds: ReadonlyArray<Round>): ExchangeCost => {
  const of = (value: (round: Round) => number) => median(rounds.map(value))
  return {
    name,
    rate: of(({ rate }) => rate),
    p99: of(({ p99 }) => p99),
    seller: of(({ seller }) => seller),
    asked: of(({ asked }) => asked),
    database: of(({ database }) => database),
    load: of(({ load }) => load),
  }
}

const cost = ({ asked, database, seller }: Round) => seller + asked + database

const ratioOf = (
  ours: ReadonlyArray<Round>,
  theirs: ReadonlyArray<Round>,
  of: (round: Round) => number,
): number =>
  median(
    ours.flatMap((round, number) => {
      const beside = theirs[number]
      return beside === undefined ? [] : [of(round) / of(beside)]
    }),
  )

const take = async (bench: Bench, { builds, facilitator, other: shop }: Shops) => {
  const { profile: file, rounds, seconds, warmUp } = bench.options
  const step = <A>(what: string, length: number, work: (ms: number) => Promise<A>) =>
    bench.progress.step(`402: ${what}`, length, () => work(length * 1_000))
  const sellers = builds.map((build, index) => {
    let made = 0
    const round = async (ms: number) => {
      const taken = await own(bench, build, ms)
      made += taken.count
      return taken
    }
    const checked = () => check(bench, build.lived.running.database, made)
    const name = index === 0 ? "payport" : "payport, the other build"
    return { name, lived: build.lived, round, checked, rounds: [] as Array<Round> }
  })
  const peer = {
    name: "@x402/express",
    round: (ms: number) => other(bench, facilitator, shop, ms),
    rounds: [] as Array<Round>,
  }
  for (let number = 0; number <= rounds; number++) {
    for (const { name, round, rounds: taken } of [...sellers, peer]) {
      const length = number === 0 ? warmUp : seconds
      const what = number === 0 ? `warm-up, ${name}` : `${name}, round ${number} of ${rounds}`
      if (length === 0) continue
      const done = await step(what, length, round)
      if (number > 0) taken.push(done)
    }
  }
  const [first, against] = sellers
  if (first === undefined) throw new Error("No build was measured.")
  const ended =
    file === undefined
      ? undefined
      : await step("profile", seconds, (ms) =>
          profiled(bench, first.lived.running, () => first.round(ms)),
        )
  for (const { checked } of sellers) await checked()
  const ratio = ratioOf(first.rounds, peer.rounds, ({ rate }) => rate)
  return {
    exchanges: [...sellers, peer].map(({ name, rounds: taken }) => middle(name, taken)),
    ratio,
    costRatio: ratioOf(first.rounds, peer.rounds, cost),
    target: TARGET,
    met: ratio >= TARGET,
    againstRatio: against === undefined ? null : ratioOf(first.rounds, against.rounds, cost),
    areas: ended?.profile === undefined ? [] : areasOf(ended.profile, ended.result.count),
  }
}

const withShop = <A>(till: Till, use: (shop: Forked) => Promise<A>): Promise<A> =>
  withForked(SHOP, [JSON.stringify(till)], use)

const withBuild = <A>(bench: Bench, database: string, use: (build: Build) => Promise<A>) =>
  withLife(bench, database, (lived) => {
    const { service, shop } = lived.running
    const payport = { baseUrl: service.url, apiKey: service.sellerKey }
    return withShop({ payport, service: shop.serviceId }, (till) => use({ lived, shop: till }))
  })

/**
 * Measures the exchange of a 402 in turns: by payport's middleware with the service and a channel
 * that sends callbacks, and by x402's own with a facilitator that accepts everything. With
 * `--against`, another build of the service also has rounds.
 */
export const measureExchanges = (bench: Bench): Promise<Exchanges> =>
  withForked(FACILITATOR, [], (facilitator) =>
    withShop({ facilitator: facilitator.url }, (other) =>
      withBuild(bench, "bench_402", (build) => {
        const { against } = bench.options
        if (against === undefined) return take(bench, { builds: [build], other, facilitator })
        const otherBench = { ...bench, options: { ...bench.options, service: against } }
        return withBuild(otherBench, "bench_402_against", (beside) =>
          take(bench, { builds: [build, beside], other, facilitator }),
        )
      }),
    ),
  )
