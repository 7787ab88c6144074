import { setTimeout as sleep } from "node:timers/promises"
import type { Service } from "../../bench/service.ts"
import { succeed } from "../client.ts"
import { openShop, SMALL } from "../shop.ts"
import { type Act, Market, newAccount, onlookerActs, operatorActs, sellerActs } from "./acts.ts"
import { Client, type Common } from "./Client.ts"
import { Facts, type Limits } from "./readings.ts"

/** The pause of a client between two acts, in milliseconds. */
const PAUSE = 50

/** How many answers in a row each client needs before the answers count. */
const SERVED = 10

/** Accounts that write and read, each over and over. */
export class Readers {
  readonly counts: Common["counts"] = { answered: 0, refused: 0, aged: 0 }
  readonly #services: ReadonlyArray<Service>
  readonly #endpoint: string
  readonly #common: Common
  readonly #market = new Market()
  readonly #clients: Array<Client> = []
  readonly #acts: Array<ReadonlyArray<Act>> = []
  readonly #turns: Array<number> = []
  #isOver = true

  constructor(
    services: ReadonlyArray<Service>,
    endpoint: string,
    limits: Limits,
    violations: Array<string>,
  ) {
    this.#services = services
    this.#endpoint = endpoint
    this.#common = { facts: new Facts(), limits, violations, counts: this.counts }
  }

  /**
   * Opens the sellers, the operator, and at each process a client that only searches. Most use one
   * process, since the primary answers clients that write at another one. One seller uses both.
   */
  async open(sellers: number): Promise<void> {
    const all = this.#services
    for (let n = 0; n < sellers; n++) {
      const home = this.#at(n)
      const at = n === sellers - 1 ? all : [home]
      const client = await this.#account(home, at)
      const service = { ...home, sellerKey: client.key }
      const shop = await openShop(service, this.#endpoint, `Shop ${n}`, SMALL)
      this.#add(client, sellerActs(client, shop, this.#market, this.#endpoint))
    }
    const first = this.#at(0)
    const operator = new Client("the operator", first.adminKey, [first], this.#common)
    this.#add(operator, operatorActs(operator))
    for (const home of all) {
      const client = await this.#account(home, [home])
      this.#add(client, onlookerActs(client, this.#market))
    }
  }

  /** Starts all clients. `end` waits for the returned promises. */
  begin(): ReadonlyArray<Promise<void>> {
    this.#isOver = false
    return this.#acts.map((acts, n) => this.#actAll(acts, n))
  }

  async end(load: ReadonlyArray<Promise<void>>): Promise<void> {
    this.#isOver = true
    await Promise.all(load)
  }

  /**
   * Waits until the primary answers everybody, several times in turn: for a while after it was
   * away some sessions with it are still being opened. Half a minute at most.
   */
  async untilServed(): Promise<void> {
    const limit = performance.now() + 30_000
    for (let served = 0; served < SERVED && performance.now() < limit; await sleep(PAUSE)) {
      const answered = await Promise.all(this.#clients.map((client) => client.isServed()))
      served = answered.every(Boolean) ? served + 1 : 0
    }
  }

  /** Lets every client read all its lists again. */
  async readAll(): Promise<void> {
    for (const client of this.#clients) await client.readAll()
  }

  #add(client: Client, acts: ReadonlyArray<Act>): void {
    this.#clients.push(client)
    this.#acts.push(acts)
    this.#turns.push(0)
  }

  #at(n: number): Service {
    const service = this.#services[n % this.#services.length]
    if (service === undefined) throw new Error("There is no process to ask.")
    return service
  }

  async #account(home: Service, at: ReadonlyArray<Service>): Promise<Client> {
    const asOperator = { ...home, sellerKey: home.adminKey }
    const { body } = await succeed(asOperator, "seller", newAccount())
    const { key } = body["api_key"] as { readonly key: string }
    return new Client(String(body["id"]), key, at, this.#common)
  }

  async #actAll(acts: ReadonlyArray<Act>, n: number): Promise<void> {
    while (!this.#isOver) {
      const turn = (this.#turns[n] ?? 0) % acts.length
      this.#turns[n] = turn + 1
      await acts[turn]?.()
      await sleep(PAUSE)
    }
  }
}
