import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { cpuOf, memoryOf } from "../bench/processes.ts"
import { type Chaos, type Result, starter, Trial } from "./Chaos.ts"
import { growth, type Sample } from "./Flatness.ts"
import { flaws, lost } from "./judge.ts"
import { Load, type Order } from "./orders.ts"
import { Postgres } from "./Postgres.ts"

/** The share of one core that the service is to use. */
const SHARE = 0.3

/** How often the load is adjusted to its share and a sample is taken, in milliseconds. */
const LOOK = 5_000
const MINUTE = 60_000

/** The number of payments of a minute that are read back. */
const READ_BACK = 50

const SIZES = `SELECT relname AS name, pg_total_relation_size(oid)::float8 AS bytes
  FROM pg_class WHERE relkind = 'r' AND relnamespace = 'payport'::regnamespace`

/** Sends a request that needs no work, again and again, and records the times of the answers. */
class Waiting {
  readonly #taken: Array<number> = []
  readonly #asking: Promise<void>
  #over = false

  constructor(url: string) {
    this.#asking = this.#ask(url)
  }

  /** Returns the 99th percentile of the waits since the last call. */
  take(): number {
    const taken = this.#taken.splice(0).toSorted((a, b) => a - b)
    return taken[Math.floor(taken.length * 0.99)] ?? 0
  }

  async end(): Promise<void> {
    this.#over = true
    await this.#asking
  }

  async #ask(url: string): Promise<void> {
    while (!this.#over) {
      const began = performance.now()
      await fetch(`${url}/healthz`).then((answer) => answer.text())
      this.#taken.push(performance.now() - began)
      await sleep(50)
    }
  }
}

const sample = async (trial: Trial, waiting: Waiting, at: number): Promise<Sample> => {
  const [{ resident }, sizes, [count]] = await Promise.all([
    memoryOf(trial.service.pid),
    trial.server.ask(SIZES),
    trial.server.ask("SELECT count(*)::float8 AS n FROM payment_intents"),
  ])
  const tables = Object.fromEntries(sizes.map(({ bytes, name }) => [String(name), Number(bytes)]))
  return { at, resident, lag: waiting.take(), payments: Number(count?.["n"]), tables }
}

/** Some of the payments, as far from one another as they can be. */
const spread = (orders: ReadonlyArray<Order>): ReadonlyArray<Order> => {
  const each = Math.max(1, Math.floor(orders.length / READ_BACK))
  return orders.filter((_, n) => n % each === 0)
}

/** A minute of the load, so paced that the service uses its share of a core. */
const minute = async (trial: Trial, pace: { pause: number }, look: () => Promise<void>) => {
  const load = new Load([trial.service], trial.shop, 4, pace)
  const ends = performance.now() + MINUTE
  try {
    while (performance.now() < ends) {
      const [busy, since] = [await cpuOf(trial.service.pid), performance.now()]
      await sleep(Math.min(LOOK, Math.max(0, ends - performance.now())))
      const used = ((await cpuOf(trial.service.pid)) ?? 0) - (busy ?? 0)
      const share = (used * 1_000) / (performance.now() - since)
      pace.pause = Math.min(2_000, Math.max(1, pace.pause * Math.max(0.5, share / SHARE)))
      await look()
    }
  } finally {
    await load.end()
  }
  trial.violations.push(...load.wrong, ...(await lost(trial.service, spread(load.orders))))
  return load.acknowledged
}

/**
 * Lets whole payments be made for as many minutes as asked, while the service uses a third of a
 * core: its memory, how long it lets others wait, and what a payment takes in each table stay as
 * they are, and the books are right.
 */
export const soak = async (chaos: Chaos): Promise<Result> => {
  const began = performance.now()
  const minutes = chaos.options.rounds.soak
  const server = new Postgres(join(chaos.folder, "soak-data"))
  await server.start()
  let trial: Trial | undefined
  let waiting: Waiting | undefined
  try {
    const start = await starter(chaos, "soak", server.url())
    const opened = (trial = await Trial.open(chaos, await start(), server))
    const asked = (waiting = new Waiting(opened.service.url))
    const samples: Array<Sample> = []
    const look = async () => {
      samples.push(await sample(opened, asked, performance.now() - began))
    }
    const pace = { pause: 100 }
    let acknowledged = 0
    for (let at = 0; at < minutes; at++) {
      acknowledged += await minute(opened, pace, look)
      // PostgreSQL's own vacuum waits until a fifth of a table is dead, which is more than the
      // growth to detect.
      await server.ask("VACUUM")
      chaos.tell(at + 1)
    }
    await asked.end()
    opened.violations.push(...growth(samples), ...(await flaws(server)))
    await opened.service.stop()
    const seconds = Math.round((performance.now() - began) / 100) / 10
    const { violations } = opened
    return {
      part: "soak",
      rounds: minutes,
      acknowledged,
      put_off: 0,
      back_after: 0,
      back_after_median: 0,
      seconds,
      violations,
    }
  } finally {
    await waiting?.end()
    await trial?.abandon()
    await server.stop()
  }
}
