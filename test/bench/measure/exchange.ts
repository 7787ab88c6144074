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

const DATABASE = "bench_402"
const TARGET = 0.6

/** Exchanges of one kind, medians of the rounds; microseconds of a core each. */
export interface ExchangeCost {
  readonly name: string
  /** A second. */
  readonly rate: number
  /** Milliseconds that 99 of 100 stay within. */
  readonly p99: number
  /** Of the seller's process, with its middleware. */
  readonly seller: number
  /** Of whoever the seller asks: payport's service, or the facilitator that looks at nothing. */
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
const own = async (
  bench: Bench,
  { receivers, running, secret }: Lived,
  shop: Forked,
  ms: number,
) => {
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
const check = async ({ server }: Bench, expected: number) => {
  const [row] = await server.query(
    DATABASE,
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

const take = async (bench: Bench, lived: Lived, shops: Shops): Promise<Exchanges> => {
  const { profile: file, rounds, seconds, warmUp } = bench.options
  let made = 0
  const step = <A>(what: string, length: number, work: (ms: number) => Promise<A>) =>
    bench.progress.step(`402: ${what}`, length, () => work(length * 1_000))
  const ours = async (ms: number) => {
    const round = await own(bench, lived, shops.own, ms)
    made += round.count
    return round
  }
  const theirs = (ms: number) => other(bench, shops.facilitator, shops.other, ms)
  if (warmUp > 0) {
    await step("warm-up of payport", warmUp, ours)
    await step("warm-up of @x402/express", warmUp, theirs)
  }
  const found: Array<{ readonly ours: Round; readonly theirs: Round }> = []
  for (let number = 1; number <= rounds; number++) {
    found.push({
      ours: await step(`payport, round ${number} of ${rounds}`, seconds, ours),
      theirs: await step(`@x402/express, round ${number} of ${rounds}`, seconds, theirs),
    })
  }
  const ended =
    file === undefined
      ? undefined
      : await step("profile", seconds, (ms) => profiled(bench, lived.running, () => ours(ms)))
  await check(bench, made)
  const ratio = median(found.map((round) => round.ours.rate / round.theirs.rate))
  return {
    exchanges: [
      middle(
        "payport",
        found.map((round) => round.ours),
      ),
      middle(
        "@x402/express",
        found.map((round) => round.theirs),
      ),
    ],
    ratio,
    costRatio: median(found.map((round) => cost(round.ours) / cost(round.theirs))),
    target: TARGET,
    met: ratio >= TARGET,
    areas: ended?.profile === undefined ? [] : areasOf(ended.profile, ended.result.count),
  }
}

interface Shops {
  readonly own: Forked
  readonly other: Forked
  readonly facilitator: Forked
}

const withShop = <A>(till: Till, use: (shop: Forked) => Promise<A>): Promise<A> =>
  withForked(SHOP, [JSON.stringify(till)], use)

/**
 * The exchange of a 402 in turns: by payport's middleware, with the service and a channel that
 * calls it back, and by x402's own, with a facilitator that finds everything right at once.
 */
export const measureExchanges = (bench: Bench): Promise<Exchanges> =>
  withLife(bench, DATABASE, (lived) => {
    const { service, shop } = lived.running
    const payport = { baseUrl: service.url, apiKey: service.sellerKey }
    return withShop({ payport, service: shop.serviceId }, (own) =>
      withForked(FACILITATOR, [], (facilitator) =>
        withShop({ facilitator: facilitator.url }, (other) =>
          take(bench, lived, { own, other, facilitator }),
        ),
      ),
    )
  })
