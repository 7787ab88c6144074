import { setTimeout as sleep } from "node:timers/promises"
import type { Service } from "../../bench/service.ts"
import { type Answer, type Request, said, send } from "../client.ts"
import { type Fact, type Facts, judgeReading, type Limits } from "./readings.ts"

/** The state that all clients share. */
export interface Common {
  readonly facts: Facts
  readonly limits: Limits
  readonly violations: Array<string>
  /** Counts of successful answers, of all others, and of answers with an age. */
  readonly counts: { answered: number; refused: number; aged: number }
}

/** A list and its path. */
export interface List {
  readonly name: string
  readonly path: string
}

/** A fact without its owner and its time. */
export interface Written extends Pick<Fact, "item" | "what" | "holds"> {
  readonly list: List
}

/** Every write is read back immediately, and again within this time, in milliseconds. */
const AGAIN_WITHIN = 1_500

/** A client of one account that writes, and reads its writes back. */
export class Client {
  readonly name: string
  readonly key: string
  readonly #services: ReadonlyArray<Service>
  readonly #common: Common
  readonly #lists = new Map<string, List>()
  #turn = 0

  /** It asks these processes in turns. */
  constructor(name: string, key: string, services: ReadonlyArray<Service>, common: Common) {
    this.name = name
    this.key = key
    this.#services = services
    this.#common = common
  }

  /** Sends a request that writes. Returns undefined if it was refused, which is a violation. */
  async write(request: Request): Promise<Answer | undefined> {
    const { counts, limits, violations } = this.#common
    const asked = performance.now()
    const answer = await this.#send(request)
    const took = Math.round(performance.now() - asked)
    const told = `${request.method ?? "POST"} ${request.path} of ${this.name}`
    if (took > limits.within) violations.push(`${told} took ${took} ms`)
    if (answer.status >= 200 && answer.status < 300) {
      counts.answered++
      return answer
    }
    counts.refused++
    violations.push(`${told} was answered ${said(answer)}: ${answer.text.slice(0, 200)}`)
    return undefined
  }

  /** Records facts as acknowledged now, and reads them back. */
  async readBack(written: ReadonlyArray<Written>): Promise<void> {
    const at = performance.now()
    for (const { list, ...fact } of written) {
      this.#lists.set(list.name, list)
      this.#common.facts.add({ ...fact, list: list.name, owner: this.name, at })
    }
    const lists = [...new Map(written.map(({ list }) => [list.name, list])).values()]
    const twice = async (list: List) => {
      await this.read(list)
      await sleep(Math.random() * AGAIN_WITHIN)
      await this.read(list)
    }
    await Promise.all(lists.map(twice))
  }

  /** Reads a list and judges the answer. */
  async read(list: List): Promise<void> {
    const { counts, facts, limits, violations } = this.#common
    const asked = performance.now()
    const answer = await this.#send({ method: "GET", path: list.path })
    const answered = performance.now()
    counts[answer.status === 200 ? "answered" : "refused"]++
    if (answer.age !== null) counts.aged++
    const reading = { list: list.name, caller: this.name, asked, answered, answer }
    violations.push(...judgeReading(reading, facts, limits))
  }

  /** Reads all lists that it has written to. */
  async readAll(): Promise<void> {
    for (const list of this.#lists.values()) await this.read(list)
  }

  /** Whether its reads are answered, whatever they contain: quick ones and a slower search. */
  async isServed(): Promise<boolean> {
    const paths = [...this.#lists.values()].slice(0, 3).map(({ path }) => path)
    const answers = await Promise.all(
      ["/v1/services", ...paths].map((path) => this.#send({ method: "GET", path })),
    )
    return answers.every(({ status }) => status === 200)
  }

  #send(request: Request): Promise<Answer> {
    const service = this.#services[this.#turn++ % this.#services.length]
    if (service === undefined) throw new Error("There is no process to ask.")
    return send({ ...service, sellerKey: this.key }, "seller", request)
  }
}
