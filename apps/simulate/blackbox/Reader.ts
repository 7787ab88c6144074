import { setTimeout as sleep } from "node:timers/promises"
import { SECOND } from "../../../core/shared/Timestamp.ts"
import type { Witness } from "../../../simulator/blackbox/Witness.ts"
import { Latencies } from "../../../simulator/report/Latencies.ts"
import type { HttpConnection } from "./HttpConnection.ts"
import { CannotPlay } from "./CannotPlay.ts"
import { routeOf, judgeReply, waitOf } from "./judgeReply.ts"

const OK = 200
const ATTEMPTS = 5

/** Asks for what is there and what is not, and never for anything to be done. */
export class Reader {
  readonly latencies = new Latencies()
  readonly #http: HttpConnection
  readonly #key: string | undefined
  readonly #witness: Witness

  constructor(http: HttpConnection, witness: Witness, key: string | undefined) {
    this.#http = http
    this.#witness = witness
    this.#key = key
  }

  /** The status and body of an answer, judged by its shape; waits where it is asked to. */
  async ask(path: string, key = this.#key) {
    for (let attempt = 0; ; attempt += 1) {
      const from = performance.now()
      const reply = await this.#http.send({ method: "GET", path, key })
      if (reply === undefined) throw new CannotPlay(`GET ${path} was not answered.`)
      const to = performance.now()
      this.latencies.measure(routeOf({ method: "GET", path }), to - from)
      const code = judgeReply(this.#witness.auditor, "GET", path, reply)
      if (code === "RATE_LIMIT_EXCEEDED" && attempt < ATTEMPTS) {
        await sleep(Math.max(waitOf(reply), SECOND))
        continue
      }
      const json = code === undefined ? reply.json : undefined
      return { status: reply.status, json, span: { from, to } }
    }
  }

  /** What is at a path; undefined where it is refused. */
  readonly get = async (path: string): Promise<unknown> => {
    const { json, status } = await this.ask(path)
    return status === OK ? json : undefined
  }
}
