import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { median } from "../../apps/bench/statistics.ts"
import { type Keys, newKeys, type Service, startService } from "../bench/service.ts"
import type { Books } from "./Books.ts"
import { judge, lost, settle } from "./judge.ts"
import type { Options, Part } from "./options.ts"
import { Load, type Order } from "./orders.ts"
import type { Postgres } from "./Postgres.ts"
import { openReceiver, type Receiver } from "./receiver.ts"
import { openShop, SMALL } from "./shop.ts"
import { variablesWithout } from "./withoutFix.ts"

/** The inputs of every part. */
export interface Chaos {
  readonly options: Options
  /** A temporary folder. */
  readonly folder: string
  /** Rounds of the part that are over. */
  readonly tell: (done: number) => void
}

/** The result of a part. */
export interface Result {
  readonly part: Part
  readonly rounds: number
  /** Requests that were answered with success. */
  readonly acknowledged: number
  /** Requests that were refused with "retry later" or got no answer. */
  readonly put_off: number
  readonly seconds: number
  /** Milliseconds until the first acknowledgement after a trouble: at most, and in the median. */
  readonly back_after: number
  readonly back_after_median: number
  /** Descriptions of every lost, doubled or missing change. */
  readonly violations: ReadonlyArray<string>
}

/** Environment variables of one process, besides those of all processes. */
export interface Variables {
  readonly [name: string]: string
}

/** An API process and a worker. */
export const API: Variables = { PAYPORT_ROLES: "api", PAYPORT_TRUSTED_PROXIES: "127.0.0.1" }
const WORKER: Variables = { PAYPORT_ROLES: "worker", PAYPORT_PROBE_PORT: "0" }

/** How long a service may take to work again after a trouble, in milliseconds. */
const BACK_WITHIN = 2_000

/** Starts a process of the service, always with the same keys and files. */
export const starter = async (chaos: Chaos, name: string, databaseUrl: string) => {
  const folder = join(chaos.folder, name)
  await mkdir(folder, { recursive: true })
  const keys: Keys = newKeys()
  const { program, without } = chaos.options
  const { NODE_OPTIONS: flags = "", ...settings } = variablesWithout(without)
  return ({ NODE_OPTIONS: more = "", ...own }: Variables = {}) => {
    const variables = { ...settings, ...own, NODE_OPTIONS: `${flags} ${more}` }
    return startService({ program, databaseUrl, folder, keys, variables })
  }
}

/** Waits until the service is ready, or is not; returns false after a minute. */
export const untilReady = async ({ url }: Service, ready: boolean): Promise<boolean> => {
  const limit = performance.now() + 60_000
  while (performance.now() < limit) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    if (answer?.status === (ready ? 200 : 503)) return true
    await sleep(20)
  }
  return false
}

/** A service under load, and the violations found. */
export class Trial<S extends Books = Postgres> {
  service: Service
  /** Processes beside it on the same database: one takes its share of the load, others work. */
  another: Service | undefined
  readonly workers: Array<Service> = []
  server: S
  readonly shop: string
  readonly receiver: Receiver
  readonly violations: Array<string> = []
  readonly #orders: Array<Order> = []
  /** Within this it works again, in milliseconds, on a machine as busy as is reckoned with. */
  readonly backWithin: number
  readonly #clients: number
  #acknowledged = 0
  #putOff = 0
  readonly #backAfter: Array<number> = []

  private constructor(
    service: Service,
    server: S,
    shop: string,
    receiver: Receiver,
    { clients, patience }: Options,
  ) {
    this.service = service
    this.server = server
    this.shop = shop
    this.receiver = receiver
    this.#clients = clients
    this.backWithin = BACK_WITHIN * patience
  }

  /** Opens a shop in the service. */
  static async open<S extends Books>(
    { options }: Chaos,
    service: Service,
    server: S,
  ): Promise<Trial<S>> {
    const receiver = await openReceiver()
    const shop = await openShop(service, receiver.endpoint, "Answers", SMALL)
    return new Trial(service, server, shop, receiver, options)
  }

  /** Opens a shop in a service of two API processes and two workers. */
  static async openAll(
    chaos: Chaos,
    start: (variables: Variables) => Promise<Service>,
    server: Postgres,
    /** The variables of the second process of each role. */
    second: Variables = {},
  ): Promise<Trial> {
    const trial = await Trial.open(chaos, await start(API), server)
    const [another, ...workers] = await Promise.all([
      start({ ...API, ...second }),
      start(WORKER),
      start({ ...WORKER, ...second }),
    ])
    trial.another = another
    trial.workers.push(...workers)
    return trial
  }

  /** The processes that answer. */
  get answering(): ReadonlyArray<Service> {
    return [this.service, ...(this.another === undefined ? [] : [this.another])]
  }

  /** All processes. */
  get all(): ReadonlyArray<Service> {
    return [...this.answering, ...this.workers]
  }

  /** Breaks something under load, and reads back all that was acknowledged meanwhile. */
  async round(breakIt: (load: Load) => Promise<void>, mayCut: boolean): Promise<void> {
    const load = new Load(this.answering, this.shop, this.#clients)
    try {
      await sleep(250 + 250 * Math.random())
      await load.untilBusy()
      await breakIt(load)
      // Clients that were told to retry find the service working.
      await sleep(150)
    } finally {
      await load.end()
    }
    this.#acknowledged += load.acknowledged
    this.#putOff += load.putOff + load.cut
    this.#orders.push(...load.orders)
    this.violations.push(...load.wrong)
    if (!mayCut && load.cut > 0) {
      this.violations.push(`${load.cut} requests were not answered by a service that runs`)
    }
    if (!this.all.every((one) => one.runs())) {
      this.violations.push("a process ended by itself")
    }
    this.violations.push(...(await lost(this.service, load.orders)))
  }

  /** The first request is acknowledged soon after the end of what was in its way. */
  async backInTime(
    load: Load,
    what: string,
    flood = { acknowledged: 0 },
    within: number = this.backWithin,
  ): Promise<void> {
    const acknowledged = () => load.acknowledged + flood.acknowledged
    const [began, before] = [performance.now(), acknowledged()]
    while (acknowledged() === before && performance.now() - began < 60_000) await sleep(10)
    const took = Math.round(performance.now() - began)
    this.#backAfter.push(took)
    if (took <= within) return
    const last = load.lastPutOff
    this.violations.push(`after ${what} nothing was acknowledged for ${took} ms, last ${last}`)
  }

  /** Repeats the requests without an answer at the end of a round, until each is answered. */
  async settle(): Promise<void> {
    this.violations.push(...(await settle(this, this.#orders)))
  }

  /** The number of requested payments. */
  get asked(): number {
    return this.#orders.length
  }

  /** How long the service last took to be back, in milliseconds. */
  get backAfter(): number {
    return this.#backAfter.at(-1) ?? 0
  }

  /** Brings everything to its end and judges it. */
  async end(part: Part, rounds: number, began: number): Promise<Result> {
    this.violations.push(...(await judge(this, this.#orders)))
    for (const one of this.all) await one.stop()
    await this.receiver.close()
    return {
      part,
      rounds,
      acknowledged: this.#acknowledged,
      put_off: this.#putOff,
      back_after: Math.max(0, ...this.#backAfter),
      back_after_median: this.#backAfter.length === 0 ? 0 : Math.round(median(this.#backAfter)),
      seconds: Math.round((performance.now() - began) / 100) / 10,
      violations: this.violations,
    }
  }

  /** Kills all processes and closes the receiver. */
  async abandon(): Promise<void> {
    for (const one of this.all) await one.kill()
    await this.receiver.close()
  }
}
