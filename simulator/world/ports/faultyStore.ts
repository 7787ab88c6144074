import { Effect } from "effect"
import { Conflict, type Store, StoreUnavailable } from "../../../core/ports/Store.ts"
import { SECOND } from "../../../core/shared/Timestamp.ts"
import type { Outage } from "../../channels/Outages.ts"
import { outageEnd } from "../../channels/Outages.ts"
import type { Chance } from "../../random/Chance.ts"
import type { Stage } from "../Stage.ts"

type Service = Store["Service"]

/** How long the store is away when another server takes over, in milliseconds. */
const AWAY = { shortest: 5 * SECOND, longest: 60 * SECOND } as const

/** When the store is away: about so often in an hour between the two times. */
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
 * A process's connection to the store: it is lost at times, before a commit or after it was sent,
 * commits are refused for nothing, and while another server takes over there is no answer at all.
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
  const strikes = (fault: "store_conflict" | "store_full" | "commit_unanswered"): boolean => {
    const struck = chance.hits(stage.faults()[fault])
    if (struck) {
      stage.log.note(fault)
      stage.upset(stage.now())
    }
    return struck
  }
  const commit: Service["commit"] = (wanted) =>
    Effect.suspend(() => {
      const [first] = wanted.writes
      if (first !== undefined && strikes("store_conflict")) {
        const { kind, record } = first
        return Effect.fail(new Conflict({ reason: { type: "stale_version", kind, id: record.id } }))
      }
      if (strikes("store_full")) return unavailable("not_stored", "no space is left")
      if (!strikes("commit_unanswered")) return store.commit(wanted)
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
