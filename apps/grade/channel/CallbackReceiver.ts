import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { readRawBody } from "../../../adapters/receiver/readRawBody.ts"
import { CannotGrade } from "../runChecks.ts"
import type { Charge, Fields } from "./Gateway.ts"

/** A received callback. */
export interface Callback {
  readonly path: string
  /** The bytes as text. */
  readonly body: string
  readonly signature: string | undefined
  /** The parsed body; empty if it is not a JSON object. */
  readonly said: Fields
  /** Its `data`. */
  readonly data: Fields
}

/** A receiver of a gateway's callbacks. */
export interface CallbackReceiver {
  /** Returns all received callbacks, the oldest first. */
  readonly all: () => ReadonlyArray<Callback>
  /** Returns the callbacks about a charge. */
  readonly about: (charge: Charge) => ReadonlyArray<Callback>
  /** Waits until so many callbacks about a charge have arrived, or until a gateway's time limit. */
  readonly until: (charge: Charge, count: number) => Promise<ReadonlyArray<Callback>>
  /** Waits for callbacks that should not arrive. */
  readonly still: () => Promise<void>
  /** Answers the next callbacks about a charge with these statuses, and later ones with 200. */
  readonly answer: (charge: Charge, statuses: ReadonlyArray<number>) => void
  readonly close: () => void
}

const PATIENCE = 5_000
const STILLNESS = 1_500
const STEP = 25

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const parse = (text: string): Fields => {
  try {
    const value = JSON.parse(text) as unknown
    return isFields(value) ? value : {}
  } catch {
    return {}
  }
}

/** Listens on loopback. Rejects with `CannotGrade` if the port is taken. */
export const openCallbackReceiver = async (port: number): Promise<CallbackReceiver> => {
  const received: Array<Callback> = []
  const answers = new Map<unknown, Array<number>>()
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = Buffer.from(await readRawBody(request)).toString("utf8")
    const said = parse(body)
    const data = isFields(said["data"]) ? said["data"] : {}
    const signature = request.headers["x-channel-signature"]
    const text = typeof signature === "string" ? signature : undefined
    received.push({ path: request.url ?? "", body, signature: text, said, data })
    const status = answers.get(data["out_trade_no"])?.shift() ?? 200
    response.writeHead(status, { "Content-Type": "application/json" }).end("{}")
  }
  const server = createServer((request, response) => {
    take(request, response).catch(() => response.destroy())
  })
  server.listen(port, "127.0.0.1")
  try {
    await once(server, "listening")
  } catch (error) {
    const why = `Callbacks cannot arrive at port ${port}, which is taken.`
    throw new CannotGrade(`${why} Give --callbacks another, and the gateway too.`, { cause: error })
  }
  const about = ({ out_trade_no }: Charge) =>
    received.filter(({ data }) => data["out_trade_no"] === out_trade_no)
  return {
    all: () => received,
    about,
    until: async (charge, count) => {
      const end = performance.now() + PATIENCE
      while (about(charge).length < count && performance.now() < end) await sleep(STEP)
      return about(charge)
    },
    still: () => sleep(STILLNESS),
    answer: ({ out_trade_no }, statuses) => void answers.set(out_trade_no, [...statuses]),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
