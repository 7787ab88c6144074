import { Effect } from "effect"
import { ChannelRefusal, type Channels } from "../../../core/ports/Channels.ts"
import { Conflict, type Store, StoreUnavailable } from "../../../core/ports/Store.ts"
import type { WebhookOutcome, WebhookSender } from "../../../core/ports/WebhookSender.ts"
import { CALL_TIMEOUT } from "../../faults/Faults.ts"
import { SECOND } from "../../../core/shared/Timestamp.ts"
import { type Outage, outageEnd } from "../../channels/Outages.ts"
import type { Chance } from "../../random/Chance.ts"
import type { Stage } from "../Stage.ts"

type Service = Store["Service"]

/** How long the store is away during a failover, in milliseconds. */
const AWAY = { shortest: 5 * SECOND, longest: 60 * SECOND } as const

/** Draws when the store is away: with this mean number per hour, between the two times. */
export const drawFailovers = (
  chance: Chance,
  perHour: number,
  { from, to }: Outage,
): ReadonlyArray<Outage> => {
  const failovers: Array<Outage> = []
  if (perHour <= 0) return failovers
  for (let at = from + chance.wait((3_600 * SECOND) / perHour); at < to;) {
    const until = at + chance.int(AWAY.shortest, AWAY.longest)
    failovers.push({ from: at, to: until })
    at = until + chance.wait((3_600 * SECOND) / perHour)
  }
  return failovers
}

const unavailable = (outcome: StoreUnavailable["outcome"], cause: string) =>
  Effect.fail(new StoreUnavailable({ outcome, cause }))

/**
 * A process's connection to the store. It is sometimes lost, before or after a commit was sent;
 * commits are sometimes refused without a reason; during a failover there is no answer.
 */
export const faultyStore = (
  store: Service,
  stage: Stage,
  chance: Chance,
  failovers: ReadonlyArray<Outage>,
): Service => {
  const isAway = (): boolean =>
    stage.isDown("store_away") ||
    (stage.faults().failovers_per_hour > 0 && outageEnd(failovers, stage.now()) !== undefined)
  const present = <A, E>(asked: Effect.Effect<A, E>): Effect.Effect<A, E | StoreUnavailable> =>
    Effect.suspend((): Effect.Effect<A, E | StoreUnavailable> => {
      if (!isAway()) return asked
      stage.log.note("store_away")
      stage.upset(stage.now())
      return unavailable("not_stored", "another server is taking over")
    })
  const strikes = (
    fault: "store_conflict" | "store_full" | "commit_unanswered",
    about?: string,
  ): boolean => {
    const struck = chance.hits(stage.faults()[fault])
    if (struck) {
      stage.log.note(fault, about)
      stage.upset(stage.now())
    }
    return struck
  }
  const commit: Service["commit"] = (wanted) =>
    Effect.suspend(() => {
      const [first] = wanted.writes
      if (first !== undefined && strikes("store_conflict", first.record.id)) {
        const { kind, record } = first
        return Effect.fail(new Conflict({ reason: { type: "stale_version", kind, id: record.id } }))
      }
      if (strikes("store_full", first?.record.id))
        return unavailable("not_stored", "no space is left")
      if (!strikes("commit_unanswered", first?.record.id)) return store.commit(wanted)
      const lost = unavailable("unknown", "the connection was lost")
      return chance.hits(0.5) ? Effect.andThen(store.commit(wanted), lost) : lost
    })
  const asks: ReadonlyArray<readonly [string, unknown]> = Object.entries(store)
  const reads = asks.map(([name, ask]): readonly [string, unknown] => {
    if (name === "watch" || name === "watchServices") return [name, ask]
    const inner = ask as (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown>
    return [name, (...args: ReadonlyArray<unknown>) => present(inner(...args))]
  })
  return {
    ...store,
    ...(Object.fromEntries(reads) as Partial<Service>),
    commit: (wanted) => present(commit(wanted)),
  }
}

/** Whether the link is down; called before and after everything that uses it. */
type IsCut = () => boolean

const UNREACHABLE = { type: "unknown", message: "The channel cannot be reached." } as const

/** Waits in vain if the link is down, even if the action has been done meanwhile. */
const over =
  (isCut: IsCut) =>
  <A, E>(asked: Effect.Effect<A, E>, unanswered: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.suspend((): Effect.Effect<A, E> => {
      if (isCut()) return unanswered
      return Effect.flatMap(asked, (answer): Effect.Effect<A, E> =>
        isCut() ? unanswered : Effect.succeed(answer),
      )
    })

/** The channels over a process's link. */
export const linkedChannels = (
  channels: Channels["Service"],
  isCut: IsCut,
): Channels["Service"] => {
  const send = over(isCut)
  const unknown = Effect.as(Effect.sleep(CALL_TIMEOUT), UNREACHABLE)
  const down = Effect.fail(new ChannelRefusal({ reason: "down", message: UNREACHABLE.message }))
  return {
    ...channels,
    createQr: (charge) => send(channels.createQr(charge), down),
    createDeepLink: (charge) => send(channels.createDeepLink(charge), down),
    call: (call) => send(channels.call(call), unknown),
    ask: (call) => send(channels.ask(call), unknown),
    query: (charge) => send(channels.query(charge), unknown),
    statement: (...asked) => send(channels.statement(...asked), down),
  }
}

/** The sender of webhooks over a process's link. */
export const linkedSender = (
  sender: WebhookSender["Service"],
  isCut: IsCut,
): WebhookSender["Service"] => {
  const lost = Effect.succeed<WebhookOutcome>({
    status: null,
    duration_ms: 0,
    error: "connection_reset",
  })
  return { send: (request) => over(isCut)(sender.send(request), lost) }
}

type Ask = (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown>

type Named = readonly [name: string, ask: unknown]

/** The store over a process's connections, which may be exhausted. */
export const linkedStore = (
  store: Store["Service"],
  isCut: IsCut,
  isExhausted: IsCut,
): Store["Service"] => {
  const lost = (outcome: StoreUnavailable["outcome"], cause: string) =>
    Effect.fail(new StoreUnavailable({ outcome, cause }))
  const linked = Object.entries(store).map(([name, ask]: readonly [string, unknown]): Named => {
    if (name.startsWith("watch")) return [name, ask]
    const inner = ask as Ask
    const asked: Ask = (...args) =>
      Effect.suspend(() => {
        if (isExhausted()) return lost("not_stored", "no connection is free")
        if (isCut()) return lost("not_stored", "the store cannot be reached")
        const answered = inner(...args)
        if (name !== "commit") return answered
        return Effect.flatMap(answered, (answer) =>
          isCut() ? lost("unknown", "the connection was lost") : Effect.succeed(answer),
        )
      })
    return [name, asked]
  })
  return { ...store, ...(Object.fromEntries(linked) as Partial<Store["Service"]>) }
}
