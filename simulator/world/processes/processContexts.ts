import { Clock, Context, Effect } from "effect"
import { RequestLimits } from "../../../core/billing/limitRequests.ts"
import { Running } from "../../../core/idempotency/answerOnce.ts"
import { Channels } from "../../../core/ports/Channels.ts"
import { Messenger } from "../../../core/ports/Messenger.ts"
import { RateLeases } from "../../../core/ports/RateLeases.ts"
import { Revoker } from "../../../core/ports/Revoker.ts"
import { Store } from "../../../core/ports/Store.ts"
import { WallClock } from "../../../core/ports/WallClock.ts"
import { WebhookSender } from "../../../core/ports/WebhookSender.ts"
import type { Outage } from "../../channels/Outages.ts"
import { faultyLeases, limitsOf } from "../../ports/rateLeases.ts"
import { drawFailovers, faultyStore } from "../ports/faultyStore.ts"
import { linkedChannels, linkedSender, linkedStore } from "../ports/linkedPorts.ts"
import type { Link, Links } from "./Links.ts"
import type { Life } from "./Process.ts"
import { clockAhead, ClockError } from "./ProcessClock.ts"
import type { Services, Stage } from "../Stage.ts"
import { stepped } from "./steps.ts"
import { askedStore } from "../ports/watchedStore.ts"

type World = Context.Context<Services>

/** The services over a process's own links to them. */
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

/** The services by a process's own clocks. */
const withClock = (services: World, stage: Stage, { ahead, isRight }: ClockError): World =>
  isRight
    ? services
    : services.pipe(
        Context.add(Clock.Clock, clockAhead(Context.get(services, Clock.Clock), ahead)),
        Context.add(WallClock, { now: Effect.sync(() => stage.now() + ahead()) }),
      )

const CALLS = ["createQr", "createDeepLink", "call", "ask", "query", "statement"] as const

/**
 * What each process has of the world's services: a clock and connections of its own, and a step at
 * everything that it asks for.
 */
export const processContexts = (stage: Stage, services: World, links: Links, traffic: Outage) => {
  const perHour = stage.faults().failovers_per_hour
  const failovers = drawFailovers(stage.chance("failovers"), perHour, traffic)
  const chance = stage.chance("connections")
  return ({ at, name, place }: Life): World => {
    const own = links.isSound ? services : linked(services, links, place)
    const timed = withClock(own, stage, new ClockError(stage, name))
    const store = faultyStore(askedStore(Context.get(timed, Store)), stage, chance, failovers)
    const isCut = () => links.isCut(place, "store")
    const shared = Context.get(timed, RateLeases)
    const leases = faultyLeases(shared, stage, chance, failovers, isCut)
    return timed.pipe(
      Context.add(Store, stepped(store, ["commit", "claimDue"], at)),
      Context.add(Channels, stepped(Context.get(timed, Channels), CALLS, at)),
      Context.add(WebhookSender, stepped(Context.get(timed, WebhookSender), ["send"], at)),
      Context.add(Revoker, stepped(Context.get(timed, Revoker), ["revoke"], at)),
      Context.add(Messenger, stepped(Context.get(timed, Messenger), ["send"], at)),
      Context.add(Running, new Set<string>()),
      Context.add(RequestLimits, limitsOf(stepped(leases, ["lease"], at))),
    )
  }
}
