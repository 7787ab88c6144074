import { createHash, randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import type { Service } from "../bench/service.ts"
import { type Answer, isTemporary, type Request, said, send } from "./client.ts"
import { capture, order, refund, simulated, SMALL } from "./shop.ts"

/** The amount of a partial refund, in minor units. */
const PART = 4

/** The last step of a payment. */
type Goal = "pending" | "authorized" | "captured" | "refunded"
const GOALS: ReadonlyArray<Goal> = ["refunded", "pending", "captured", "refunded", "authorized"]

/** The part of an answer that is kept to recognize it and to refer to its record. */
export interface Kept {
  readonly id: string
  readonly status: string
  readonly digest: string
}

/** The fields that never change after the creation. */
export const FIXED = ["id", "service_id", "amount", "description", "created_at", "expires_at"]

/** The part of a payment's answer that is kept: its status and the fixed fields. */
export type Told = Answer["body"]

/** A requested payment, with everything that was acknowledged about it. */
export interface Order {
  readonly key: string
  readonly goal: Goal
  /** The answer to its creation. */
  created: Kept | undefined
  /** The last answer about the payment. */
  told: Told | undefined
  captureAsked: boolean
  /** Whether its capture was answered. */
  captured: boolean
  refundAsked: boolean
  /** The answer to its refund. */
  refunded: Kept | undefined
}

/** Returns a hash of the answer, to compare answers. */
export const digestOf = ({ text }: Answer): string =>
  createHash("sha256").update(text).digest("base64url")

export const keep = (answer: Answer): Kept => ({
  id: String(answer.body["id"]),
  status: String(answer.body["status"]),
  digest: digestOf(answer),
})

export const toldBy = ({ body }: Answer): Told =>
  Object.fromEntries([...FIXED, "status"].map((field) => [field, body[field]]))

/** Makes an order for a payment that is not requested yet. */
export const newOrder = (goal: Goal = "pending"): Order => ({
  key: randomUUID(),
  goal,
  created: undefined,
  told: undefined,
  captureAsked: false,
  captured: false,
  refundAsked: false,
  refunded: undefined,
})

export const idOf = ({ created }: Order): string => String(created?.id)

/** Whether a request of the order was never answered, so that its outcome is still open. */
export const isUnanswered = (one: Order): boolean =>
  one.created === undefined ||
  (one.captureAsked && !one.captured) ||
  (one.refundAsked && one.refunded === undefined)

export const creation = ({ key }: Order, shop: string): Request => ({
  ...order(shop, key, SMALL),
  once: key,
})

export const captureOf = (one: Order): Request => ({
  ...capture(idOf(one)),
  once: `${one.key}-capture`,
})

export const refundOf = (one: Order): Request => ({
  ...refund(idOf(one), PART),
  once: `${one.key}-refund`,
})

/** How long a client pauses after each payment, in milliseconds; it may change. */
export interface Pace {
  readonly pause: number
}

/**
 * Clients that request payments as fast as they can, or at the given pace, and repeat requests that
 * are answered with "retry later".
 */
export class Load {
  readonly orders: Array<Order> = []
  /** Answers that are wrong under any trouble. */
  readonly wrong: Array<string> = []
  /** Counts of successful answers, and of answers with "retry later". */
  acknowledged = 0
  putOff = 0
  /** The last answer with "retry later". */
  lastPutOff = ""
  /** How many requests were not answered at all. */
  cut = 0
  /**
   * For how many milliseconds a request may be refused because of old data: a process that has not
   * noticed a new primary yet still reads from the former one.
   */
  staleFor = 0
  readonly #shop: string
  readonly #callers: ReadonlyArray<Promise<void>>
  readonly #pace: Pace
  #services: ReadonlyArray<Service>
  #turn = 0
  #over = false

  constructor(
    services: ReadonlyArray<Service>,
    shop: string,
    callers: number,
    pace: Pace = { pause: 0 },
  ) {
    this.#services = services
    this.#shop = shop
    this.#pace = pace
    this.#callers = Array.from({ length: callers }, (_, n) => this.#take(n))
  }

  /** Sends running and later requests to these processes of the service. */
  moveTo(...services: ReadonlyArray<Service>): void {
    this.#services = services
  }

  /** The processes take turns. */
  get #service(): Service {
    const next = this.#services[this.#turn++ % this.#services.length]
    if (next === undefined) throw new Error("There is no process to ask.")
    return next
  }

  /** Waits until each client has a few answers, on average; five seconds at most. */
  async untilBusy(): Promise<void> {
    const limit = performance.now() + 5_000
    while (this.acknowledged < 5 * this.#callers.length && performance.now() < limit) {
      await this.#pause()
    }
  }

  /** Lets every client finish its current request. */
  async end(): Promise<void> {
    this.#over = true
    await Promise.all(this.#callers)
  }

  async #take(caller: number): Promise<void> {
    for (let n = caller; !this.#over; n++) {
      const one = newOrder(GOALS[n % GOALS.length])
      this.orders.push(one)
      await this.#takeOne(one)
      if (this.#pace.pause > 0) await sleep(this.#pace.pause)
    }
  }

  async #takeOne(one: Order): Promise<void> {
    const created = await this.#insist(creation(one, this.#shop))
    if (created === undefined) return
    one.created = keep(created)
    one.told = toldBy(created)
    if (one.goal === "pending") return
    if (!(await this.#pay(one)) || one.goal === "authorized") return
    one.captureAsked = true
    const captured = await this.#insist(captureOf(one))
    if (captured === undefined) return
    one.captured = true
    one.told = toldBy(captured)
    if (one.goal === "captured" || !(await this.#untilCaptured(one))) return
    one.refundAsked = true
    const refunded = await this.#insist(refundOf(one))
    if (refunded !== undefined) one.refunded = keep(refunded)
  }

  /** Simulating a wallet takes no key: without an answer, the client looks at the payment. */
  async #pay(one: Order): Promise<boolean> {
    while (!this.#over) {
      const paid = await send(this.#service, "seller", simulated(idOf(one), "pay"))
      if (paid.status === 200) this.acknowledged++
      if (paid.status === 200) one.told = toldBy(paid)
      if (paid.status === 200 && paid.body["status"] === "authorized") return true
      if (paid.status !== 200) await this.#pause()
      const path = `/v1/payment-intents/${idOf(one)}`
      const found = await send(this.#service, "seller", { method: "GET", path })
      if (found.status === 200) one.told = toldBy(found)
      if (found.status === 200 && found.body["status"] === "authorized") return true
    }
    return false
  }

  /** A channel that does not answer leaves a capture under way, and the payment authorized. */
  async #untilCaptured(one: Order): Promise<boolean> {
    const path = `/v1/payment-intents/${idOf(one)}`
    while (one.told?.["status"] === "authorized") {
      if (this.#over) return false
      await this.#pause()
      const found = await send(this.#service, "seller", { method: "GET", path })
      if (found.status === 200) one.told = toldBy(found)
    }
    return true
  }

  /** Asks under one key until that is answered; undefined when it is over before. */
  async #insist(request: Request): Promise<Answer | undefined> {
    let refusedAt: number | undefined
    while (true) {
      const answer = await send(this.#service, "seller", request)
      if (answer.status >= 200 && answer.status < 300) {
        this.acknowledged++
        return answer
      }
      refusedAt ??= isTemporary(answer) ? undefined : performance.now()
      const mayBeStale = refusedAt !== undefined && performance.now() - refusedAt < this.staleFor
      if (!isTemporary(answer) && !mayBeStale) {
        this.wrong.push(`${request.path} was answered ${said(answer)}: ${answer.text}`)
        return undefined
      }
      if (answer.status === 0) this.cut++
      else this.putOff++
      this.lastPutOff = said(answer)
      if (this.#over) return undefined
      await this.#pause()
    }
  }

  async #pause(): Promise<void> {
    await sleep(50)
  }
}
