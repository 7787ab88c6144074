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
  /** Waits until so many callbacks about a charge have arrived, as long as a gateway has. */
  readonly until: (charge: Charge, count: number) => Promise<ReadonlyArray<Callback>>
  /**
   * Waits until the first message about a charge has come so many times, 5,000 milliseconds by
   * default.
   */
  readonly copies: (
    charge: Charge,
    count: number,
    within?: number,
  ) => Promise<ReadonlyArray<Callback>>
  /** Waits for callbacks that should not arrive. */
  readonly still: () => Promise<void>
  /**
   * Answers the first message about a charge with these statuses, each time that it comes. Other
   * messages, and later copies, are answered with 200.
   */
  readonly answer: (charge: Charge, statuses: ReadonlyArray<number>) => void
  readonly close: () => void
}

const COPIES_WITHIN = 5_000
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

/** The statuses that the first message about a charge is answered with. */
interface Answers {
  readonly statuses: Array<number>
  /** The `trade_status` of that message, once it has come. */
  first?: unknown
}

/**
 * Listens on loopback, and waits no longer than until the signal. Callbacks about charges of
 * earlier runs are taken and passed by. Rejects with `CannotGrade` if the port is taken.
 */
export const openCallbackReceiver = async (
  port: number,
  patience: number,
  isEarlier: (outTradeNo: string) => boolean,
  signal: AbortSignal,
): Promise<CallbackReceiver> => {
  const received: Array<Callback> = []
  const answers = new Map<unknown, Answers>()
  const statusFor = (data: Fields): number => {
    const given = answers.get(data["out_trade_no"])
    if (given === undefined) return 200
    const { first = data["trade_status"], statuses } = given
    given.first = first
    return first === data["trade_status"] ? (statuses.shift() ?? 200) : 200
  }
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = Buffer.from(await readRawBody(request)).toString("utf8")
    const said = parse(body)
    const data = isFields(said["data"]) ? said["data"] : {}
    const signature = request.headers["x-channel-signature"]
    const text = typeof signature === "string" ? signature : undefined
    if (!isEarlier(String(data["out_trade_no"]))) {
      received.push({ path: request.url ?? "", body, signature: text, said, data })
    }
    const status = statusFor(data)
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
  const copiesOf = (charge: Charge) => {
    const all = about(charge)
    return all.filter(({ data }) => data["trade_status"] === all[0]?.data["trade_status"])
  }
  const wait = async (
    look: () => ReadonlyArray<Callback>,
    count: number,
    within: number,
  ): Promise<ReadonlyArray<Callback>> => {
    const end = performance.now() + within
    while (look().length < count && performance.now() < end && !signal.aborted) await sleep(STEP)
    return look()
  }
  return {
    all: () => received,
    about,
    until: (charge, count) => wait(() => about(charge), count, patience),
    copies: (charge, count, within = COPIES_WITHIN) => wait(() => copiesOf(charge), count, within),
    still: () => sleep(STILLNESS),
    answer: ({ out_trade_no }, statuses) =>
      void answers.set(out_trade_no, { statuses: [...statuses] }),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
