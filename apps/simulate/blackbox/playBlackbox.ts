import { Effect } from "effect"
import { NO_FAULTS } from "../../../simulator/faults/Faults.ts"
import type { FaultLog } from "../../../simulator/faults/Fault.ts"
import type { Latencies } from "../../../simulator/report/Latencies.ts"
import { byId } from "../../../simulator/blackbox/rules/messages.ts"
import { playPayment } from "../../../simulator/players/playPayment.ts"
import type { SeenDelivery, SeenPayment } from "../../../simulator/blackbox/Seen.ts"
import type { Witness } from "../../../simulator/blackbox/Witness.ts"
import { DAY, HOUR, type Timestamp } from "../../../core/shared/Timestamp.ts"
import { type ArrivedWebhook, changeKeys, type Receivers } from "./receivers.ts"
import { CannotPlay } from "./HttpConnection.ts"
import { type Books, judgePayments, lookAt } from "./judge.ts"
import { type BlackboxOptions, type OpenedRun, openRun } from "./openRun.ts"
import { type People, populate } from "./populate.ts"
import { playerWorld } from "./playerWorld.ts"
import { countedText } from "./reportOf.ts"
import type { Actor, ApiClient, RunContext } from "./ApiClient.ts"

/** Deliveries are attempted for at most five days, and statements reconciled for four. */
const SHORTEST = 6 * DAY
const LONGEST = 12 * DAY
const STEP = 6 * HOUR

const isOpen = async (client: ApiClient, who: Actor): Promise<boolean> => {
  for (const status of ["pending", "delivering"]) {
    const page = await client.get(who, `/v1/webhook-deliveries?status=${status}&limit=1`)
    const { data } = (page ?? { data: [] }) as { readonly data: ReadonlyArray<unknown> }
    if (data.length > 0) return true
  }
  return false
}

/** Moves the clock until every schedule has run out; returns the new time. */
const comeToRest = async (
  { time }: RunContext,
  client: ApiClient,
  accounts: ReadonlyArray<Actor>,
): Promise<Timestamp> => {
  const from = time.now()
  while (time.now() < from + SHORTEST) await time.sleep(STEP)
  while (time.now() < from + LONGEST) {
    const open = await Promise.all(accounts.map((who) => isOpen(client, who)))
    if (!open.includes(true)) break
    await time.sleep(STEP)
  }
  return time.now()
}

/** The observations of a service. */
export interface Played {
  readonly witness: Witness
  readonly log: FaultLog
  readonly latencies: Latencies
  readonly payments: ReadonlyArray<SeenPayment>
  readonly requests: number
  /** How often requests were refused, by error code. */
  readonly refusals: ReadonlyMap<string, number>
  readonly arrivals: number
  /** How many of the webhooks that arrived were encrypted. */
  readonly sealed: number
  /** How many secrets of webhooks were replaced. */
  readonly replaced: number
  readonly from: Timestamp
  readonly to: Timestamp
  /** Whether it ended before all payments were made and everything rested. */
  readonly cutShort: boolean
}

/** A run that ended before it was over, with what was seen until then. */
export class CutShort extends CannotPlay {
  readonly played: Played

  constructor(cause: CannotPlay, played: Played) {
    super(cause.message, { cause })
    this.played = played
  }
}

const unique = (actors: ReadonlyArray<Actor>): ReadonlyArray<Actor> => [
  ...new Map(actors.map((actor) => [actor.name, actor])).values(),
]

/** Plays all payments at once, with the faults at the same time. */
const playAll = async (
  { client, channels, control, receivers, context }: OpenedRun,
  people: People,
  { onProgress, run, script }: BlackboxOptions,
): Promise<void> => {
  const players = playerWorld({ context, client, control, people, channels }, run)
  const { payments } = script
  const start = context.time.now()
  let done = 0
  let at = start
  const stories = payments.map((plan) => {
    at += plan.after
    const begins = at
    return async () => {
      await context.time.until(begins)
      await Effect.runPromise(playPayment(players, plan))
      done += 1
      onProgress?.(done)
    }
  })
  const isOver = () => done === payments.length
  const used = [...new Set(payments.flatMap(({ channel }) => channel ?? []))]
  await context.time.together([
    ...stories,
    ...script.incidents.map((incident) => () => channels.away(incident)),
    () =>
      channels.misbehave(
        ["wallet_a", "wallet_b", ...used.filter((name) => name !== "auto")],
        isOver,
      ),
    ...unique(people.sellers).map(
      (seller) => () => changeKeys(context, client, seller, receivers, isOver),
    ),
  ])
}

/**
 * Whether a webhook came again after its sender knew that it was accepted. If the log has one more
 * attempt, the response to the one before may have come too late.
 */
const cameAgain = (
  { after_success, before, endpoint, event_id }: ArrivedWebhook,
  deliveries: ReadonlyArray<SeenDelivery>,
): boolean => {
  const delivery = deliveries.find(
    (one) => one.event_id === event_id && (one.endpoint_id ?? "") === endpoint,
  )
  if (!after_success || delivery === undefined) return after_success
  const heard = delivery.attempts.findIndex(
    ({ status }) => status !== null && status >= 200 && status < 300,
  )
  const goesOn = heard !== -1 && heard < delivery.attempts.length - 1
  return goesOn || before >= delivery.attempts.length
}

/** Compares everything that arrived with the logs. */
const judgeArrivals = (
  witness: Witness,
  receivers: Receivers,
  books: ReadonlyMap<string, Books>,
): Pick<Played, "arrivals" | "sealed"> => {
  const arrivals = receivers.arrivals()
  const events = new Map(
    [...books].map(([name, { account }]) => [name, byId(account.events)] as const),
  )
  for (const arrived of arrivals) {
    const { event_id, owner } = arrived
    const after_success = cameAgain(arrived, books.get(owner)?.account.deliveries ?? [])
    const arrival = { ...arrived, after_success }
    witness.auditor.see("arrival", event_id, arrival)
    witness.auditor.see("logged", event_id, { arrival, event: events.get(owner)?.get(event_id) })
  }
  return { arrivals: arrivals.length, sealed: arrivals.filter(({ sealed }) => sealed).length }
}

/** Checks all books and logs, and every payment, once everything is at rest. */
const judgeAll = async (
  { begun, client, receivers, context }: OpenedRun,
  people: People,
  to: Timestamp,
): Promise<Pick<Played, "payments" | "arrivals" | "sealed">> => {
  const { witness } = context
  const books = new Map<string, Books>()
  const actors = unique([...people.sellers, ...people.buyers])
  for (const actor of actors) {
    const services = [...people.services.values()]
      .filter(({ seller }) => seller.name === actor.name)
      .map(({ id }) => id)
    const get = (path: string) => client.get(actor, path)
    const looked = { name: actor.name, get, services: new Set(services) }
    books.set(actor.name, await lookAt(witness, looked, { from: begun, to, rests: true }))
  }
  const keyed = new Map(actors.map((actor) => [actor.name, actor]))
  const payments = await judgePayments(witness, books, (account) => (path) => {
    const who = keyed.get(account)
    return who === undefined ? Promise.resolve(undefined) : client.get(who, path)
  })
  return { payments, ...judgeArrivals(witness, receivers, books) }
}

/** A run without a payment judges next to nothing, and must not seem to find all well. */
const nothingMade = ({ refusals }: ApiClient): CannotPlay =>
  new CannotPlay(
    "No payment was made, so that nothing can be judged. " +
      `Requests were refused with: ${countedText(refusals) || "nothing"}.`,
  )

/** Plays the whole run: opens accounts, plays payments, and waits for rest. */
const playStory = async (opened: OpenedRun, options: BlackboxOptions): Promise<Played> => {
  const { client, channels, control, receivers, context, conditions } = opened
  const { keys, run } = options
  await channels.calm()
  const people = await populate(context, client, control, keys, run, receivers)
  for (const [n, seller] of people.sellers.entries()) await receivers.register(client, seller, n)
  const from = context.time.now()
  conditions.from = from
  await playAll(opened, people, options)
  if (context.witness.payments.size === 0) throw nothingMade(client)
  conditions.faults = NO_FAULTS
  await channels.calm()
  await client.insist()
  const to = await comeToRest(context, client, unique(people.sellers))
  const judged = await judgeAll(opened, people, to)
  return { ...judged, ...countsOf(opened), from, to, cutShort: false }
}

const countsOf = ({ client, context, http, receivers }: OpenedRun) => {
  const { latencies, log, witness } = context
  const { refusals } = client
  const { replacements: replaced } = receivers
  return { witness, log, latencies, refusals, replaced, requests: http.requests }
}

/** Returns what was seen until now: payments as they were shown last. Nothing has come to rest. */
const seenSoFar = (opened: OpenedRun): Played => {
  const { conditions, context, receivers } = opened
  const known = [...context.witness.payments.values()]
  const arrivals = receivers.arrivals()
  return {
    ...countsOf(opened),
    payments: known.map(({ acknowledged, shown }) => shown.at(-1)?.seen ?? acknowledged),
    arrivals: arrivals.length,
    sealed: arrivals.filter(({ sealed }) => sealed).length,
    from: conditions.from,
    to: context.time.now(),
    cutShort: true,
  }
}

/**
 * Plays a script against a service over HTTP, with its own receivers on loopback and the sandbox's
 * clock, until everything is at rest, and checks what can be seen from outside. Throws `CannotPlay`
 * if it cannot start, and `CutShort` if it cannot continue once there are payments.
 */
export const playBlackbox = async (options: BlackboxOptions): Promise<Played> => {
  const opened = await openRun(options)
  const { time } = opened.context
  const stop = () => time.stop(new CannotPlay("The run was ended; the channels' faults are off."))
  options.signal?.addEventListener("abort", stop)
  if (options.signal?.aborted === true) stop()
  try {
    return await time.run(() => playStory(opened, options))
  } catch (error) {
    const isPlayed = opened.context.witness.payments.size > 0
    if (!(error instanceof CannotPlay) || !isPlayed) throw error
    throw new CutShort(error, seenSoFar(opened))
  } finally {
    options.signal?.removeEventListener("abort", stop)
    await opened.channels.calm().catch(() => undefined)
    opened.receivers.server.close()
    await opened.http.close()
  }
}
