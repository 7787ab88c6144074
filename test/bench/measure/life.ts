import { setTimeout as sleep } from "node:timers/promises"
import { median } from "../../../apps/bench/statistics.ts"
import { type Bench, type Running, withService } from "../Bench.ts"
import { STAGES, type Stage } from "../life/Lives.ts"
import { runLives } from "../load.ts"
import { type Limit, makeLimit } from "./limit.ts"
import { spentOn } from "../processorTime.ts"
import { profiled } from "../profile/profiled.ts"
import { type Area, areasOf } from "../profile/summarise.ts"
import { type Receivers, withReceivers } from "../receivers.ts"
import { committed, logged, written } from "../transactions.ts"

/** Microseconds of a core. */
interface Spent {
  readonly service: number
  readonly database: number
}

/** The results of whole lives of payments, from the creation to the acknowledged webhook. */
export interface Life {
  readonly lives: number
  /** Lives a second, until the last webhook is acknowledged. */
  readonly rate: number
  /** The cost of a whole life. */
  readonly spent: Spent
  /** Transactions of the database for a life: all, including reads, and those that write. */
  readonly transactions: { readonly all: number; readonly writing: number }
  /** Bytes of the database's log a life. */
  readonly log: number
  /** The cost of each request of a life, alone. */
  readonly stages: ReadonlyArray<Spent & { readonly stage: Stage; readonly rate: number }>
  /** The rate of `limit-transition.sql` on the database alone; null without pgbench. */
  readonly limit: { readonly clients: number; readonly rate: number } | null
  /** Microseconds of the service's thread a life, where a profile was asked for. */
  readonly areas: ReadonlyArray<Area>
  /** The results of another build in turns with this one; null without one. */
  readonly other: Omit<Life, "other" | "lives" | "limit" | "areas"> | null
}

/** The shop's channel. */
export const CHANNEL = "wallet_b"

const LOOK = 20

/** The time without a webhook, in milliseconds, after which one counts as lost. */
const STUCK = 60_000

/** The service and its receivers. */
export interface Lived {
  readonly running: Running
  readonly receivers: Receivers
  readonly secret: string
}

/** Reads the secret of the shop's channel. */
const prepare = async (running: Running, receivers: Receivers): Promise<Lived> => {
  const { sellerKey, url } = running.service
  const headers = { authorization: `Bearer ${sellerKey}` }
  const answer = await fetch(`${url}/v1/sandbox/channels`, { headers })
  const { data } = (await answer.json()) as {
    readonly data: ReadonlyArray<{ readonly channel: string; readonly secret: string }>
  }
  const secret = data.find(({ channel }) => channel === CHANNEL)?.secret
  if (secret === undefined) throw new Error(`The sandbox plays no ${CHANNEL}.`)
  return { running, receivers, secret }
}

const go = (
  { options }: Bench,
  { running: { service, shop }, secret }: Lived,
  stages: ReadonlyArray<Stage>,
  payments: number | ReadonlyArray<string>,
) =>
  runLives({
    url: service.url,
    sellerKey: service.sellerKey,
    buyerKey: service.buyerKey,
    body: shop.body,
    channel: CHANNEL,
    secret,
    connections: options.connections,
    stages,
    payments,
  })

/** Waits until each payment's webhook was acknowledged. */
export const acknowledged = async (receivers: Receivers, count: number) => {
  let taken = 0
  let changed = performance.now()
  while (taken < count) {
    await sleep(LOOK)
    const { repeated, taken: seen } = await receivers.received()
    if (repeated > 0) throw new Error(`${repeated} webhooks came twice.`)
    if (seen > taken) changed = performance.now()
    if (performance.now() - changed > STUCK) {
      throw new Error(`Only ${seen} of ${count} webhooks arrived.`)
    }
    taken = seen
  }
}

/** Whole lives, until the last webhook is acknowledged. */
export const whole = async (bench: Bench, lived: Lived, lives: number) => {
  await lived.receivers.forget()
  await bench.server.checkpoint()
  const before = { written: await written(bench), logged: await logged(bench) }
  const started = performance.now()
  const { spent } = await spentOn(bench, lived.running, async () => {
    await go(bench, lived, STAGES, lives)
    await acknowledged(lived.receivers, lives)
  })
  const seconds = (performance.now() - started) / 1_000
  return {
    rate: lives / seconds,
    service: (spent.service * 1e6) / lives,
    database: (spent.database * 1e6) / lives,
    writing: ((await written(bench)) - before.written) / lives,
    log: ((await logged(bench)) - before.logged) / lives,
  }
}

const staged = async (bench: Bench, lived: Lived, lives: number) => {
  await lived.receivers.forget()
  let payments: number | ReadonlyArray<string> = lives
  const found = []
  for (const stage of STAGES) {
    await bench.server.checkpoint()
    const { result, spent } = await spentOn(bench, lived.running, () =>
      go(bench, lived, [stage], payments),
    )
    payments = result.ids
    found.push({
      stage,
      rate: lives / (result.milliseconds / 1_000),
      service: (spent.service * 1e6) / lives,
      database: (spent.database * 1e6) / lives,
    })
  }
  await acknowledged(lived.receivers, lives)
  return found
}

type Round = Awaited<ReturnType<typeof whole>>
/** Lives a second, and the processor time of one in microseconds. */
export type Timed = Pick<Round, "rate" | "service" | "database">
type Staged = Awaited<ReturnType<typeof staged>>

/** The median of each. */
export const middle = (rounds: ReadonlyArray<Timed>): Timed => ({
  rate: median(rounds.map(({ rate }) => rate)),
  service: median(rounds.map(({ service }) => service)),
  database: median(rounds.map(({ database }) => database)),
})

const summary = (rounds: ReadonlyArray<Round>, stages: ReadonlyArray<Staged>, all: number) => {
  const { rate, ...spent } = middle(rounds)
  const byStage = STAGES.map((stage) => ({
    stage,
    ...middle(stages.flatMap((found) => found.filter((one) => one.stage === stage))),
  }))
  const writing = median(rounds.map((round) => round.writing))
  const log = median(rounds.map((round) => round.log))
  return { rate, spent, stages: byStage, transactions: { all, writing }, log }
}

const take = async (bench: Bench, builds: ReadonlyArray<Lived>, limit: Limit) => {
  const { lives, rounds, warmUp } = bench.options
  const found = builds.map(() => ({ rounds: [] as Array<Round>, stages: [] as Array<Staged> }))
  for (const lived of builds) {
    const most = Math.max(200, lives >> 1)
    if (warmUp > 0) {
      await bench.progress.step("life: warm-up", warmUp, () => whole(bench, lived, most))
    }
  }
  const before = await committed(bench, builds)
  for (let number = 1; number <= rounds; number++) {
    for (const [index, lived] of builds.entries()) {
      const what = `life: round ${number} of ${rounds}, build ${index + 1} of ${builds.length}`
      await bench.progress.step(what, lives / 200, async () =>
        found[index]?.rounds.push(await whole(bench, lived, lives)),
      )
    }
  }
  const after = await committed(bench, builds)
  for (let number = 1; number <= rounds; number++) {
    await bench.progress.step("life: the database alone", limit.seconds, limit.round)
    for (const [index, lived] of builds.entries()) {
      const what = `life: stages ${number} of ${rounds}, build ${index + 1} of ${builds.length}`
      await bench.progress.step(what, lives / 200, async () =>
        found[index]?.stages.push(await staged(bench, lived, lives)),
      )
    }
  }
  return found.map((build, index) =>
    summary(
      build.rounds,
      build.stages,
      ((after[index] ?? Number.NaN) - (before[index] ?? Number.NaN)) / (lives * rounds),
    ),
  )
}

/** Runs the service, with a shop whose webhooks are received, while `use` runs. */
export const withLife = <A>(
  bench: Bench,
  name: string,
  use: (lived: Lived) => Promise<A>,
): Promise<A> =>
  withReceivers(1, (receivers) =>
    withService(bench, name, async (running) => use(await prepare(running, receivers)), {
      endpoint: `http://127.0.0.1:${receivers.quick[0]}/webhooks`,
      inspected: bench.options.profile !== undefined,
    }),
  )

/**
 * Measures the cost of a life for the service's thread by area, in an extra round, if a profile is
 * requested.
 */
const areasOfLife = async (bench: Bench, lived: Lived): Promise<ReadonlyArray<Area>> => {
  const { lives, profile: file } = bench.options
  if (file === undefined) return []
  const { profile } = await bench.progress.step("life: profile", lives / 200, () =>
    profiled(bench, lived.running, () => whole(bench, lived, lives)),
  )
  return profile === undefined ? [] : areasOf(profile, lives)
}

/**
 * Measures whole lives: a payment is created, its channel sends two callbacks, it is captured, its
 * channel sends another callback, and the seller gets a webhook. With `--against`, another build
 * runs every second round.
 */
export const measureLife = (bench: Bench): Promise<Life> =>
  withLife(bench, "bench_life", async (lived) => {
    const { against, lives } = bench.options
    const limit = await makeLimit(bench, "transition")
    const done = async (builds: Awaited<ReturnType<typeof take>>): Promise<Life> => {
      await limit.close()
      const areas = await areasOfLife(bench, lived)
      const [own, other = null] = builds
      if (own === undefined) throw new Error("No build was measured.")
      return { lives, ...own, limit: limit.best() ?? null, areas, other }
    }
    if (against === undefined) return done(await take(bench, [lived], limit))
    const otherBench = { ...bench, options: { ...bench.options, service: against } }
    return withLife(otherBench, "bench_life_against", async (other) =>
      done(await take(bench, [lived, other], limit)),
    )
  })
