import { Clock, Context, Effect, type Fiber, References } from "effect"
import { findOutcome } from "../../../core/commits/findOutcome.ts"
import { Missed } from "../../../core/dispatch/resolveChannelRequest.ts"
import { RequestLimits } from "../../../core/billing/limitRequests.ts"
import { newProcessKeys, CurrentProcessKeys } from "../../../core/idempotency/answerOnce.ts"
import { Channels } from "../../../core/ports/Channels.ts"
import { Messenger } from "../../../core/ports/Messenger.ts"
import { Installation } from "../../../core/ports/Installation.ts"
import { RateLeases } from "../../../core/ports/RateLeases.ts"
import { ResourceProbe } from "../../../core/ports/ResourceProbe.ts"
import { Revoker } from "../../../core/ports/Revoker.ts"
import { Store } from "../../../core/ports/Store.ts"
import { stateOf } from "../../../core/shared/ClockOffset.ts"
import { usedByClock } from "../../../core/work/guardedStore.ts"
import { WallClock } from "../../../core/ports/WallClock.ts"
import { WebhookSender } from "../../../core/ports/WebhookSender.ts"
import type { Outage } from "../../channels/Outages.ts"
import { faultyLeases, limitsOf } from "../../ports/rateLeases.ts"
import {
  drawFailovers,
  faultyStore,
  linkedChannels,
  linkedSender,
  linkedStore,
} from "../ports/linkedPorts.ts"
import type { Link, Links } from "./Links.ts"
import type { Life } from "./Process.ts"
import { clockAhead, ClockError, notingClockError } from "./ProcessClock.ts"
import type { Services, Stage } from "../Stage.ts"
import { askedStore } from "../ports/watchedPorts.ts"
import { CurrentCause } from "../ports/CurrentCause.ts"

/** How many steps of one verb have their own names; later steps share the last name. */
const NAMED = 6

const counts = new WeakMap<object, number>()

/** Returns a fiber's task: a client's route without ids, a callback, or a kind of due work. */
const verbOf = (fiber: Fiber.Fiber<unknown, unknown>): string => {
  const cause = fiber.getRef(CurrentCause)
  if (cause.type === "client") return cause.route.replace(/\/[a-z]+_[^/]*/, "/{id}")
  const { kind } = fiber.getRef(References.CurrentLogAnnotations)
  return cause.type === "worker" && typeof kind === "string" ? `due ${kind}` : cause.type
}

/** Returns the label of a fiber's next call, such as `POST /v1/refunds 2 commit`. */
const labelOf = (fiber: Fiber.Fiber<unknown, unknown>, ask: string): string => {
  const count = (counts.get(fiber) ?? 0) + 1
  counts.set(fiber, count)
  return `${verbOf(fiber)} ${Math.min(count, NAMED)} ${ask}`
}

/** What may happen to a process at a step; the effect ends when the process continues. */
type Stepping = (label: string, asked?: object) => Effect.Effect<void>

type Asking = (...args: ReadonlyArray<never>) => unknown

/**
 * Makes the named methods of a port steps: before and after each, `at` decides whether the process
 * continues.
 */
const stepped = <S extends object>(
  service: S,
  asks: ReadonlyArray<keyof S & string>,
  at: Stepping,
): S => {
  const wrap =
    (ask: string, inner: Asking): Asking =>
    (...args) =>
      Effect.withFiber((fiber) => {
        const label = labelOf(fiber, ask)
        const [what] = args as ReadonlyArray<unknown>
        const isThing = typeof what === "object" && what !== null
        const before = at(`${label}: before`, isThing ? what : undefined)
        const asked = Effect.suspend(() => inner(...args) as Effect.Effect<unknown, unknown>)
        return Effect.tap(Effect.andThen(before, asked), () => at(`${label}: after`))
      })
  const wrapped = asks.map((ask) => [ask, wrap(ask, service[ask] as Asking)])
  return { ...service, ...(Object.fromEntries(wrapped) as Partial<S>) }
}

type World = Context.Context<Services>

/** The services over a process's own links. */
const linked = (services: World, links: Links, place: number): World => {
  const cut = (link: Link) => () => links.isCut(place, link)
  const exhausted = () => links.isExhausted(place)
  const store = linkedStore(Context.get(services, Store), cut("store"), exhausted)
  const channels = linkedChannels(Context.get(services, Channels), cut("channels"))
  const sender = linkedSender(Context.get(services, WebhookSender), cut("receivers"))
  return services.pipe(
    Context.add(Store, store),
    Context.add(Channels, channels),
    Context.add(WebhookSender, sender),
  )
}

/** The services with a process's own clocks. */
const withClock = (services: World, stage: Stage, { ahead, isRight }: ClockError): World =>
  isRight
    ? services
    : services.pipe(
        Context.add(Clock.Clock, clockAhead(Context.get(services, Clock.Clock), ahead)),
        Context.add(WallClock, { now: Effect.sync(() => stage.now() + ahead()) }),
      )

/** Returns the clock error that a process assumes, in milliseconds. */
type Taken = (offset: number) => number

/** The store with this error: a process that watches its clock uses it while the clock is right. */
const watchedByClock = (
  store: Store["Service"],
  stage: Stage,
  { isRight, isWatched, noticed }: ClockError,
  taken: Taken,
): Store["Service"] => {
  if (isRight || !isWatched) return store
  return usedByClock(store, Effect.sync(noticed), (offset) => {
    const ahead = taken(offset)
    if (stateOf(ahead) === "wrong") stage.upset(stage.now())
    return ahead
  })
}

const CALLS = ["createQr", "createDeepLink", "call", "ask", "query", "statement"] as const

/**
 * Makes the services of each process: with its own clock and connections, and a step at each of its
 * calls.
 */
export const processContexts = (
  stage: Stage,
  services: World,
  links: Links,
  traffic: Outage,
  taken: Taken,
) => {
  const perHour = stage.faults().failovers_per_hour
  const failovers = drawFailovers(stage.chance("failovers"), perHour, traffic)
  const chance = stage.chance("connections")
  return ({ at, name, place }: Life): World => {
    const own = links.isSound ? services : linked(services, links, place)
    const clock = new ClockError(stage, name)
    const timed = withClock(own, stage, clock)
    const faulty = faultyStore(askedStore(Context.get(timed, Store)), stage, chance, failovers)
    const store: Store["Service"] = {
      ...faulty,
      commit: (wanted) =>
        Effect.catchTag(faulty.commit(wanted), "StoreUnavailable", (lost) =>
          findOutcome(faulty, wanted, lost),
        ),
    }
    const { plans } = Context.get(timed, Installation).terms
    const isCut = () => links.isCut(place, "store")
    const shared = Context.get(timed, RateLeases)
    const sender = stepped(Context.get(timed, WebhookSender), ["send"], at)
    const leases = faultyLeases(shared, stage, chance, failovers, isCut)
    return timed.pipe(
      Context.add(
        Store,
        stepped(watchedByClock(store, stage, clock, taken), ["commit", "claimDue"], at),
      ),
      Context.add(Channels, stepped(Context.get(timed, Channels), CALLS, at)),
      Context.add(WebhookSender, notingClockError(sender, clock)),
      Context.add(ResourceProbe, stepped(Context.get(timed, ResourceProbe), ["ask"], at)),
      Context.add(Revoker, stepped(Context.get(timed, Revoker), ["revoke"], at)),
      Context.add(Messenger, stepped(Context.get(timed, Messenger), ["send"], at)),
      Context.add(CurrentProcessKeys, newProcessKeys()),
      Context.add(Missed, new Map<string, number>()),
      Context.add(RequestLimits, limitsOf(stepped(leases, ["lease"], at), plans)),
    )
  }
}
