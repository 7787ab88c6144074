import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { fromIso, SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"
import { Witness } from "../../../simulator/blackbox/Witness.ts"
import type { Faults } from "../../../simulator/faults/Faults.ts"
import { FaultLog } from "../../../simulator/faults/Fault.ts"
import { makeChance } from "../../../simulator/random/Chance.ts"
import { Latencies } from "../../../simulator/report/Latencies.ts"
import { faultsOf, type Script } from "../../../simulator/world/plans/Plan.ts"
import { type Actor, ApiClient, PASSING, type RunContext } from "./ApiClient.ts"
import { Channels } from "./channels.ts"
import { type Control, sandboxControl } from "./Control.ts"
import { codeOf, waitOf } from "./judgeReply.ts"
import { CannotPlay, HttpConnection } from "./HttpConnection.ts"
import { type Keys, PAYERS, secretsOf } from "./populate.ts"
import { checkAccountKey, checkOperatorKey, identifyService } from "./identifyService.ts"
import { Receivers } from "./receivers.ts"
import { ServiceTime } from "./ServiceTime.ts"

/** The script to play, and the service. */
export interface BlackboxOptions {
  /** Without a slash at its end. */
  readonly url: string
  readonly keys: Keys
  readonly script: Script
  /** The loopback port of the webhook receivers; 0 is a free port. */
  readonly receiver_port: number
  /** The URL at which the service reaches them; loopback by default. */
  readonly receiver_url?: string
  /** Marks what the run makes, so that several runs against one service do not mix. */
  readonly run: string
  /** Controls time, payers and channels; the sandbox's own routes by default. */
  readonly control?: Control
  readonly onProgress?: (done: number) => void
  /** Ends the run: channels' faults are switched off, and nothing more is judged. */
  readonly signal?: AbortSignal
}

const AGAIN = 5 * SECOND

/** A move of the clock over busy hours may take minutes; it is retried this often. */
const MOST_ASKED = 30

const advanceBy =
  (http: HttpConnection, key: string) =>
  async (seconds: number): Promise<Timestamp> => {
    const path = "/v1/sandbox/clock/advance"
    const headers = { "Idempotency-Key": randomUUID() }
    for (let asked = 1; ; asked += 1) {
      const reply = await http.send({ method: "POST", path, key, body: { seconds }, headers })
      const now = fromIso((reply?.json as { readonly now?: string } | undefined)?.now ?? "")
      if (now !== undefined) return now
      const code = reply && codeOf(reply)
      if (!PASSING.has(code ?? "") || asked >= MOST_ASKED) {
        throw new CannotPlay(`The sandbox's clock did not move: ${reply?.status} ${code}.`)
      }
      await sleep(Math.max(reply === undefined ? 0 : waitOf(reply), AGAIN))
    }
  }

/** Returns the account that moves the clock and sets faults: a new one, or the seller's. */
const openDirector = async (http: HttpConnection, keys: Keys, run: string): Promise<Actor> => {
  if (keys.type === "accounts") {
    await checkAccountKey(http, keys.seller, "seller-key")
    await checkAccountKey(http, keys.buyer, "buyer-key")
    return { name: "seller", key: keys.seller, agent_id: "" }
  }
  await checkOperatorKey(http, keys.admin)
  const agent_id = `director-${run}`
  const body = { name: agent_id, kind: "buyer", agent_id, plan: "enterprise" }
  const reply = await http.send({ method: "POST", path: "/v1/accounts", key: keys.admin, body })
  const key = (reply?.json as { readonly api_key?: { readonly key: string } } | undefined)?.api_key
  if (key === undefined) {
    throw new CannotPlay(`No account could be opened: ${reply?.status} ${reply && codeOf(reply)}.`)
  }
  return { name: "director", key: key.key, agent_id }
}

/** The changing conditions of a script: its faults, and when its traffic began. */
interface Conditions {
  faults: Faults
  from: Timestamp
}

/** Everything that a script is played with. */
export interface OpenedRun {
  readonly http: HttpConnection
  readonly context: RunContext
  readonly client: ApiClient
  readonly control: Control
  readonly channels: Channels
  readonly receivers: Receivers
  readonly conditions: Conditions
  /** When the run began, by the service's clock. */
  readonly begun: Timestamp
}

const areDown = ({ incidents }: Script, time: ServiceTime, { from }: Conditions): boolean =>
  incidents.some(({ after_ms, lasts_ms, what }) => {
    const since = time.now() - from - after_ms
    return what === "receivers_down" && since >= 0 && since < lasts_ms
  })

const connect = async ({ control, url }: BlackboxOptions): Promise<HttpConnection> => {
  const http = new HttpConnection(url)
  const { sandbox } = await identifyService(http)
  if (sandbox || control !== undefined) return http
  throw new CannotPlay(
    `${url} is in live mode, where nothing is played. Use --live-checks, which only reads.`,
  )
}

/**
 * Identifies the service, tries the keys, reads the clock, and opens the receivers. Throws
 * `CannotPlay`, before anything is written, if it is not a sandbox or a key is refused.
 */
export const openRun = async (options: BlackboxOptions): Promise<OpenedRun> => {
  const { keys, receiver_port, receiver_url, run, script } = options
  const http = await connect(options)
  const director = await openDirector(http, keys, run)
  const advance = options.control?.advance ?? advanceBy(http, director.key)
  const time = new ServiceTime(advance)
  const conditions: Conditions = { faults: faultsOf(script), from: 0 }
  const context: RunContext = {
    http,
    time,
    witness: new Witness(() => time.now(), { secrets: secretsOf(run, PAYERS) }),
    chance: (name) => makeChance(`${script.seed} ${name}`),
    faults: () => conditions.faults,
    log: new FaultLog(),
    latencies: new Latencies(),
  }
  time.learn(await advance(1))
  const receivers = new Receivers(context, () => areDown(script, time, conditions), receiver_url)
  await receivers.server.listen(receiver_port)
  const client = new ApiClient(context)
  const control = options.control ?? sandboxControl(http, client, director.key, advance)
  const channels = new Channels(context, control)
  return { http, context, client, control, channels, receivers, conditions, begun: time.now() }
}
