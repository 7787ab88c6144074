import { Agent, request } from "undici"
import type { Service } from "../bench/service.ts"
import { type Answer, codeOf } from "./client.ts"
import { creation, newOrder, type Order } from "./orders.ts"

/** How often the flood sends what has become due, in milliseconds. */
const EVERY = 10

/** Creations that come at their rate whatever is answered, as those of many people do. */
export class Flood {
  /** What was asked for, but for what the service refused before it began anything. */
  readonly orders: Array<Order> = []
  /** How often each code was answered. */
  readonly codes = new Map<string, number>()
  /** Answers that nobody should get. */
  readonly wrong: Array<string> = []
  acknowledged = 0
  /** Milliseconds of the slowest answer. */
  slowest = 0
  readonly #service: Service
  readonly #shop: string
  readonly #agent = new Agent({ connections: 600, headersTimeout: 60_000, bodyTimeout: 60_000 })
  readonly #asking = new Set<Promise<void>>()
  readonly #timer: NodeJS.Timeout
  #sent = 0

  constructor(service: Service, shop: string, perSecond: number) {
    this.#service = service
    this.#shop = shop
    const began = performance.now()
    this.#timer = setInterval(() => {
      const due = ((performance.now() - began) * perSecond) / 1_000
      while (this.#sent < due) this.#begin()
    }, EVERY)
  }

  /** How many requests were sent. */
  get sent(): number {
    return this.#sent
  }

  /** Sends no more, and waits for what is still to be answered. */
  async end(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all(this.#asking)
    await this.#agent.close()
  }

  #begin(): void {
    this.#sent++
    const asking = this.#ask().finally(() => this.#asking.delete(asking))
    this.#asking.add(asking)
  }

  async #ask(): Promise<void> {
    const one = newOrder()
    const began = performance.now()
    const answer = await this.#send(one)
    this.slowest = Math.max(this.slowest, performance.now() - began)
    const code = codeOf(answer)
    if (code !== "OVERLOADED") this.orders.push(one)
    if (answer.status === 201) {
      one.created = answer
      one.told = answer.body
      this.acknowledged++
    } else {
      this.codes.set(code, (this.codes.get(code) ?? 0) + 1)
      if (answer.status !== 503) this.wrong.push(`${answer.status}: ${answer.text}`)
    }
  }

  async #send(one: Order): Promise<Answer> {
    const { body, once = "", path } = creation(one, this.#shop)
    const { sellerKey, url } = this.#service
    try {
      const { body: sent, statusCode } = await request(url + path, {
        dispatcher: this.#agent,
        method: "POST",
        headers: {
          authorization: `Bearer ${sellerKey}`,
          "content-type": "application/json",
          "idempotency-key": once,
        },
        body: JSON.stringify(body),
      })
      const text = await sent.text()
      return { status: statusCode, text, body: JSON.parse(text) as Answer["body"] }
    } catch (error) {
      return { status: 0, text: String(error), body: {} }
    }
  }
}
