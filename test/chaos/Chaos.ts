import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { type Keys, newKeys, type Service, startService } from "../bench/service.ts"
import { judge, lost } from "./judge.ts"
import type { Options, Part } from "./options.ts"
import { Load, type Order } from "./orders.ts"
import type { Postgres } from "./Postgres.ts"
import { openReceiver, type Receiver } from "./receiver.ts"
import { openShop, SMALL } from "./shop.ts"

/** What every part works with. */
export interface Chaos {
  readonly options: Options
  /** A temporary folder. */
  readonly folder: string
  /** Rounds of the part that are over. */
  readonly tell: (done: number) => void
}

/** What a part came to. */
export interface Result {
  readonly part: Part
  readonly rounds: number
  /** Requests that were answered with success. */
  readonly acknowledged: number
  /** Requests that were told to come again, or not answered. */
  readonly put_off: number
  readonly seconds: number
  /** What was lost, doubled or left undone, in sentences. */
  readonly violations: ReadonlyArray<string>
}

/** Starts a process of the service, always with the same keys and files. */
export const starter = async (chaos: Chaos, name: string, databaseUrl: string) => {
  const folder = join(chaos.folder, name)
  await mkdir(folder, { recursive: true })
  const keys: Keys = newKeys()
  const { program } = chaos.options
  return (variables: { readonly [name: string]: string } = {}) =>
    startService({ program, databaseUrl, folder, keys, variables })
}

/** Waits until the service says that it is ready, or that it is not; false after a minute. */
export const untilReady = async ({ url }: Service, ready: boolean): Promise<boolean> => {
  const limit = performance.now() + 60_000
  while (performance.now() < limit) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    if (answer?.status === (ready ? 200 : 503)) return true
    await sleep(20)
  }
  return false
}

/** A service under load, and what was found wrong with it. */
export class Trial {
  service: Service
  /** Processes beside it on the same database, which take their share of the load. */
  readonly others: Array<Service> = []
  server: Postgres
  readonly shop: string
  readonly receiver: Receiver
  readonly violations: Array<string> = []
  readonly #orders: Array<Order> = []
  readonly #clients: number
  #acknowledged = 0
  #putOff = 0

  private constructor(
    service: Service,
    server: Postgres,
    shop: string,
    receiver: Receiver,
    clients: number,
  ) {
    this.service = service
    this.server = server
    this.shop = shop
    this.receiver = receiver
    this.#clients = clients
  }

  /** Opens a shop in the service. */
  static async open({ options }: Chaos, service: Service, server: Postgres): Promise<Trial> {
    const receiver = await openReceiver()
    const shop = await openShop(service, receiver.endpoint, "Answers", SMALL)
    return new Trial(service, server, shop, receiver, options.clients)
  }

  /** Breaks something under load, and reads back all that was acknowledged meanwhile. */
  async round(breakIt: (load: Load) => Promise<void>, mayCut: boolean): Promise<void> {
    const load = new Load([this.service, ...this.others], this.shop, this.#clients)
    try {
      await sleep(250 + 250 * Math.random())
      await load.untilBusy()
      await breakIt(load)
      // Whoever was told to come again finds it working.
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
    if (![this.service, ...this.others].every((one) => one.runs())) {
      this.violations.push("the service ended by itself")
    }
    this.violations.push(...(await lost(this.service, load.orders)))
  }

  /** Brings everything to its end and judges it. */
  async end(part: Part, rounds: number, began: number): Promise<Result> {
    this.violations.push(...(await judge(this, this.#orders)))
    for (const one of [this.service, ...this.others]) await one.stop()
    await this.receiver.close()
    return {
      part,
      rounds,
      acknowledged: this.#acknowledged,
      put_off: this.#putOff,
      seconds: Math.round((performance.now() - began) / 100) / 10,
      violations: this.violations,
    }
  }

  /** Leaves nothing running, whatever happened. */
  async abandon(): Promise<void> {
    for (const one of [this.service, ...this.others]) await one.kill()
    await this.receiver.close()
  }
}
