import { setTimeout as sleep } from "node:timers/promises"
import { type Bench, type Running, withService } from "../Bench.ts"
import { cpuOf, memoryOf } from "../processes.ts"
import { profiled } from "../profile/profiled.ts"
import { type Area, areasOf } from "../profile/summarise.ts"
import { type Receivers, withReceivers } from "../receivers.ts"
import { type SeededDeliveries, seedDeliveries, seedEvents } from "../seedDeliveries.ts"

const TARGET = 1_500

/** The share of their rate that the other receivers must keep while one hangs. */
const UNDISTURBED = 0.9

const RECEIVERS = 10

/** The number of deliveries that wait for the receiver that hangs. */
const HANGING = 2_000

/** A look at the receivers every so often, in milliseconds. */
const LOOK = 100

/** The time without a delivery, in milliseconds, after which one counts as lost. */
const STUCK = 60_000

/** The results of draining the same deliveries with and without a receiver that hangs. */
export interface Deliveries {
  readonly count: number
  readonly receivers: number
  /** Deliveries a second, of the quick receivers alone. */
  readonly rate: number
  readonly besideHanging: number
  readonly ratio: number
  /** Attempts that hung, and the most of them at a time. */
  readonly hung: number
  readonly mostHanging: number
  /** Megabytes that the service's process held: before, at most and afterwards. */
  readonly memory: { readonly before: number; readonly peak: number; readonly after: number }
  /** Microseconds of a core per delivery; null if the system does not report them. */
  readonly cpu: {
    readonly service: number | null
    readonly receivers: number | null
    /** Of the service's sessions, without the database's background processes. */
    readonly database: number | null
  }
  /** Microseconds of the service's thread per delivery, where a profile was asked for. */
  readonly areas: ReadonlyArray<Area>
  readonly target: number
  readonly met: boolean
}

/** The receivers, as the service knows them. */
export interface Told {
  readonly receivers: Receivers
  readonly quick: ReadonlyArray<string>
  readonly hanging: string
  /** The delivery that others are copies of. */
  readonly model: string
}

/** Registers the receivers' endpoints with the service. */
export const register = async ({ service }: Running, receivers: Receivers): Promise<Told> => {
  const call = async (path: string, body: object): Promise<string> => {
    const answer = await fetch(`${service.url}${path}`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${service.sellerKey}`,
        "Content-Type": "application/json",
      },
      body: JSON.stringify(body),
    })
    const { id } = (await answer.json()) as { readonly id?: string }
    if (id === undefined) throw new Error(`POST ${path} answered ${answer.status}.`)
    return id
  }
  const endpoint = (port: number) =>
    call("/v1/webhook-endpoints", {
      url: `http://127.0.0.1:${port}/webhooks`,
      enabled_events: ["payment_intent.succeeded"],
    })
  const quick = await Promise.all(receivers.quick.map(endpoint))
  const hanging = await endpoint(receivers.hanging)
  const model = await call(`/v1/webhook-endpoints/${quick[0]}/test`, {})
  while ((await receivers.received()).taken < 1) await sleep(LOOK)
  return { receivers, quick, hanging, model }
}

/**
 * Waits until the receivers have taken so many deliveries. Returns the seconds and the peak of
 * memory.
 */
export const drained = async (
  { service }: { readonly service: { readonly pid: number } },
  receivers: Receivers,
  count: number,
) => {
  const started = performance.now()
  let peak = 0
  let taken = 0
  let changed = started
  while (taken < count) {
    await sleep(LOOK)
    const now = performance.now()
    const seen = (await receivers.received()).taken
    if (seen > taken) changed = now
    if (now - changed > STUCK) throw new Error(`Only ${seen} of ${count} deliveries arrived.`)
    taken = seen
    peak = Math.max(peak, (await memoryOf(service.pid)).resident)
  }
  return { seconds: (performance.now() - started) / 1_000, peak }
}

/** Every delivery was made exactly once and is known to have been. */
const check = async ({ server }: Bench, { database }: Running, told: Told, count: number) => {
  const { repeated } = await told.receivers.received()
  if (repeated > 0) throw new Error(`${repeated} attempts were made twice.`)
  const open = async () => {
    const [row] = await server.query(
      database,
      `SELECT count(*)::int AS n FROM deliveries WHERE status <> 'delivered'
        AND endpoint_id = ANY ($1::uuid[])`,
      [`{${told.quick.map((id) => id.slice(3)).join()}}`],
    )
    return Number(row?.["n"])
  }
  const until = performance.now() + 10_000
  while ((await open()) > 0) {
    if (performance.now() > until) {
      throw new Error(`Of ${count} deliveries, ${await open()} were not stored as delivered.`)
    }
    await sleep(LOOK)
  }
}

/** Seconds that the processes have kept a core busy. */
const used = async ({ server }: Bench, { database, service }: Running, { receivers }: Told) => {
  const sessions = await server.query(
    database,
    `SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  )
  const times = await Promise.all(sessions.map(({ pid }) => cpuOf(Number(pid))))
  return {
    service: await cpuOf(service.pid),
    receivers: await cpuOf(receivers.pid),
    database: times.reduce<number | undefined>(
      (sum, time) => (sum === undefined || time === undefined ? undefined : sum + time),
      0,
    ),
  }
}

/** Makes the deliveries and drains them. Each batch has different ids. */
export const drain = async (bench: Bench, running: Running, told: Told, batch: string) => {
  const { server, options } = bench
  const seeded = { model: told.model, endpoints: told.quick, count: options.deliveries, batch }
  await seedEvents(server, running.database, seeded)
  await server.query(running.database, "ANALYZE")
  await server.checkpoint()
  const before = await memoryOf(running.service.pid)
  await seedDeliveries(server, running.database, seeded)
  const from = await used(bench, running, told)
  const { peak, seconds } = await drained(running, told.receivers, options.deliveries)
  const to = await used(bench, running, told)
  const received = await told.receivers.received()
  await check(bench, running, told, options.deliveries)
  const after = await memoryOf(running.service.pid)
  const per = (name: keyof typeof to) => {
    const [began, ended] = [from[name], to[name]]
    return began === undefined || ended === undefined
      ? null
      : ((ended - began) * 1e6) / options.deliveries
  }
  return {
    rate: options.deliveries / seconds,
    received,
    memory: { before: before.resident, peak, after: after.resident },
    cpu: { service: per("service"), receivers: per("receivers"), database: per("database") },
  }
}

const seedHanging = async ({ server }: Bench, { database }: Running, told: Told) => {
  const { hanging, model } = told
  const seeded: SeededDeliveries = { model, endpoints: [hanging], count: HANGING, batch: "9002" }
  await seedEvents(server, database, seeded)
  await seedDeliveries(server, database, seeded)
}

/** Measures the rate of due deliveries to quick receivers, alone and beside one that hangs. */
export const measureDeliveries = (bench: Bench): Promise<Deliveries> =>
  withReceivers(RECEIVERS, (receivers) =>
    withService(
      bench,
      "bench_deliveries",
      async (running) => {
        const { options, progress } = bench
        const told = await register(running, receivers)
        const took = 8 + options.deliveries / 1_000
        await receivers.forget()
        const { profile, result: alone } = await progress.step("deliveries: drain", took, () =>
          profiled(bench, running, () => drain(bench, running, told, "9001")),
        )
        const beside = await progress.step("deliveries: beside one that hangs", took, async () => {
          await receivers.forget()
          await seedHanging(bench, running, told)
          return drain(bench, running, told, "9003")
        })
        const ratio = beside.rate / alone.rate
        // The cost of the first drain for the service's thread.
        const areas = profile === undefined ? [] : areasOf(profile, options.deliveries)
        return {
          count: options.deliveries,
          receivers: RECEIVERS,
          rate: alone.rate,
          besideHanging: beside.rate,
          ratio,
          hung: beside.received.hung,
          mostHanging: beside.received.mostHanging,
          memory: alone.memory,
          cpu: alone.cpu,
          areas,
          target: TARGET,
          met: alone.rate >= TARGET && ratio >= UNDISTURBED,
        }
      },
      { inspected: bench.options.profile !== undefined },
    ),
  )
