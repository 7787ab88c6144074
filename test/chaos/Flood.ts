import type { Service } from "../bench/service.ts"
import { type Answer, codeOf } from "./client.ts"
import { Connection, type RawAnswer } from "./Connection.ts"
import { creation, keep, type Load, newOrder, type Order, toldBy } from "./orders.ts"

/** How often the flood sends the requests that are due, in milliseconds. */
const EVERY = 5

/** The largest number of connections to one process. Each carries one request at a time. */
const MOST = 4_000

/** How long callers wait for an answer, in milliseconds. A later answer is too late. */
const PATIENCE = 2_000

/** Codes of answers after which certainly nothing is stored. */
const NOT_BEGUN = new Set(["OVERLOADED", "TEMPORARILY_UNAVAILABLE"])

const answerOf = ({ status, text }: RawAnswer): Answer => {
  const body = status === 0 ? {} : (JSON.parse(text) as Answer["body"])
  return { status, text, body, age: null }
}

/** The bytes of a creation's HTTP request. */
const bytesOf = ({ sellerKey }: Service, shop: string, one: Order): string => {
  const { body, once = "", path } = creation(one, shop)
  const text = JSON.stringify(body)
  return (
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${sellerKey}\r\n` +
    `Content-Type: application/json\r\nIdempotency-Key: ${once}\r\n` +
    `Content-Length: ${text.length}\r\n\r\n${text}`
  )
}

/** Creations by many callers, sent without waiting for answers. */
export class Flood {
  /** The orders that the service has not refused. */
  readonly orders: Array<Order> = []
  /** Unexpected answers. */
  readonly wrong: Array<string> = []
  acknowledged = 0
  /** The number of acknowledged creations whose caller still waited. */
  inTime = 0
  /** Counts of sent and of refused requests. */
  sent = 0
  refused = 0
  /** Milliseconds of the slowest answer. */
  slowest = 0
  readonly #services: ReadonlyArray<Service>
  readonly #shop: string
  readonly #idle = new Map<Service, Array<Connection>>()
  readonly #connections = new Map<Service, Set<Connection>>()
  readonly #asking = new Set<Promise<void>>()
  #timer: NodeJS.Timeout | undefined
  #over = false

  constructor(services: ReadonlyArray<Service>, shop: string) {
    this.#services = services
    this.#shop = shop
    for (const service of services) {
      this.#idle.set(service, [])
      this.#connections.set(service, new Set())
    }
  }

  /** Keeps this number of requests waiting for an answer, one after the other. */
  keep(waiting: number): void {
    const ask = async (service: Service) => {
      while (!this.#over) await this.#ask(service)
    }
    for (let n = 0; n < waiting; n++) this.#track(ask(this.#serviceOf(n)))
  }

  /** Sends at this rate to each process in turn, without waiting for answers. */
  send(perSecond: number): void {
    const [began, before] = [performance.now(), this.sent]
    this.#timer = setInterval(() => {
      const due = before + ((performance.now() - began) * perSecond) / 1_000
      while (this.sent < due) {
        const service = this.#serviceOf(this.sent)
        if (!this.#hasRoom(service)) break
        this.#track(this.#ask(service))
      }
    }, EVERY)
  }

  /** Adds its results to a load's, so that both are judged. */
  giveTo(load: Load): void {
    load.orders.push(...this.orders)
    load.acknowledged += this.acknowledged
    load.wrong.push(...this.wrong)
  }

  /** Stops sending, and waits for the open answers. */
  async end(): Promise<void> {
    clearInterval(this.#timer)
    this.#over = true
    await Promise.all(this.#asking)
    for (const some of this.#connections.values()) for (const one of some) one.close()
  }

  #serviceOf(n: number): Service {
    const service = this.#services[n % this.#services.length]
    if (service === undefined) throw new Error("There is no process to ask.")
    return service
  }

  #track(asked: Promise<void>): void {
    const asking = asked.finally(() => this.#asking.delete(asking))
    this.#asking.add(asking)
  }

  async #ask(service: Service): Promise<void> {
    const one = newOrder()
    const began = performance.now()
    this.sent++
    const answer = answerOf(await this.#carry(service, bytesOf(service, this.#shop, one)))
    const took = performance.now() - began
    this.slowest = Math.max(this.slowest, took)
    if (NOT_BEGUN.has(codeOf(answer))) {
      this.refused++
      return
    }
    this.orders.push(one)
    if (answer.status === 201) {
      one.created = keep(answer)
      one.told = toldBy(answer)
      this.acknowledged++
      if (took <= PATIENCE) this.inTime++
    } else if (answer.status !== 503) {
      this.wrong.push(`${answer.status}: ${answer.text}`)
    }
  }

  #hasRoom(service: Service): boolean {
    const [idle, all] = [this.#idle.get(service), this.#connections.get(service)]
    return (idle?.length ?? 0) > 0 || (all?.size ?? 0) < MOST
  }

  #carry(service: Service, request: string): Promise<RawAnswer> {
    const [idle = [], all = new Set()] = [this.#idle.get(service), this.#connections.get(service)]
    let connection = idle.pop()
    while (connection?.isOpen === false) {
      all.delete(connection)
      connection = idle.pop()
    }
    if (connection === undefined) {
      all.add((connection = new Connection(service.port)))
    }
    const carrier = connection
    return new Promise((resolve) => {
      carrier.ask(request, (answer) => {
        idle.push(carrier)
        resolve(answer)
      })
    })
  }
}
