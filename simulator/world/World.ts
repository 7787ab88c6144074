import { type Doors, usualDoors } from "./Doors.ts"
import { Cause, Clock, Context, Effect, Exit, Latch, Logger, References, Scheduler } from "effect"
import { ProbeInterval } from "../../core/listings/ProbeInterval.ts"
import { Channels } from "../../core/ports/Channels.ts"
import { ContactRules } from "../../core/ports/ContactRules.ts"
import { EventConsumers } from "../../core/ports/EventConsumers.ts"
import { IdentityVerifier } from "../../core/ports/IdentityVerifier.ts"
import { Ids } from "../../core/ports/Ids.ts"
import { Installation } from "../../core/ports/Installation.ts"
import { Language } from "../../core/ports/Language.ts"
import { Messenger } from "../../core/ports/Messenger.ts"
import { RateLeases } from "../../core/ports/RateLeases.ts"
import { Rates } from "../../core/ports/Rates.ts"
import { ReceiverAddress } from "../../core/ports/ReceiverAddress.ts"
import { ResourceProbe } from "../../core/ports/ResourceProbe.ts"
import { Revoker } from "../../core/ports/Revoker.ts"
import { Store } from "../../core/ports/Store.ts"
import { Vault } from "../../core/ports/Vault.ts"
import { WallClock } from "../../core/ports/WallClock.ts"
import { WebhookSender } from "../../core/ports/WebhookSender.ts"
import { CurrentRetention } from "../../core/retention/Retention.ts"
import { RevocationRetention } from "../../core/revocations/RevocationRetention.ts"
import { DAY, type Timestamp } from "../../core/shared/Timestamp.ts"
import type { Alterations } from "../Alterations.ts"
import { Auditor, type Violation } from "../auditor/Auditor.ts"
import { Visits } from "../auditor/Pairs.ts"
import { type Note, Trace } from "../auditor/Trace.ts"
import { Callbacks } from "../channels/Callbacks.ts"
import { Ledger } from "../channels/Ledger.ts"
import { Network } from "../channels/Network.ts"
import type { Outage } from "../channels/Outages.ts"
import { simulatedChannels } from "../channels/simulatedChannels.ts"
import { clockTolerance } from "../faults/serviceFaults.ts"
import { FaultLog, type Strike } from "../faults/Fault.ts"
import { type Faults, NO_FAULTS } from "../faults/Faults.ts"
import { consumersOf } from "../ports/hosts.ts"
import { contactRules, Post, verifier } from "../ports/identity.ts"
import { eagerLanguage } from "../ports/eagerLanguage.ts"
import { installationOf, marketRates } from "../ports/market.ts"
import { KEPT_BRIEFLY } from "../ports/retention.ts"
import { withHold } from "../ports/returnHold.ts"
import { LOOKED_AT_EVERY, Shops } from "../ports/shops.ts"
import { sharedLeases } from "../ports/rateLeases.ts"
import { receivers, revoker } from "../ports/receivers.ts"
import { MASTER, simulatedVault } from "../ports/simulatedVault.ts"
import { type Chance, makeChance } from "../random/Chance.ts"
import { seededIds } from "../random/seededIds.ts"
import type { VirtualTime } from "../time/VirtualTime.ts"
import { Links } from "./processes/Links.ts"
import { Processes, type ProcessWorld } from "./processes/Process.ts"
import type { CrashPoint } from "./plans/Plan.ts"
import type { Incident } from "../scenarios/Scenario.ts"
import { Latencies } from "../report/Latencies.ts"
import type { Services, Stage } from "./Stage.ts"
import { errorLog, watchedChannels, watchedRevoker, watchedStore } from "./ports/watchedPorts.ts"
import { answeringStore } from "./ports/answeringStore.ts"
import { endingCalendar, slowStore } from "./ports/slowStore.ts"
import { processContexts } from "./processes/processContexts.ts"
import { Bell, work } from "./processes/worker.ts"

interface WorldOptions {
  readonly seed: number
  readonly faults: Faults
  /** Incidents at certain times, counted from the beginning of the traffic. */
  readonly incidents: ReadonlyArray<Incident>
  readonly time: VirtualTime
  /** An empty store that answers synchronously. */
  readonly store: Store["Service"]
  readonly alterations: Alterations
  /** The numbers of the invariants whose first violation ends the world. */
  readonly stop_at: ReadonlyArray<number>
  /** Where processes crash, in addition to random crashes. */
  readonly crashes: ReadonlyArray<CrashPoint>
  readonly traffic: { readonly from: Timestamp; readonly to: Timestamp }
  /** Whether the processes' hosts receive events. */
  readonly listens: boolean
  readonly onStep?: (step: Note) => void
  readonly onFault?: (strike: Strike) => void
  readonly onViolation?: (violation: Violation) => void
}

const spanOf = ({ after_ms, lasts_ms }: Incident, from: Timestamp): Outage => ({
  from: from + after_ms,
  to: from + after_ms + lasts_ms,
})

/** Switches tracing off, and reports logged errors to the auditor. */
const quietly = (auditor: Auditor) =>
  Context.make(References.TracerEnabled, false).pipe(
    Context.add(References.MinimumLogLevel, "All"),
    Context.add(Logger.CurrentLoggers, new Set([errorLog(auditor)])),
  )

/** A world: the core's ports, the channels behind them, and the auditor that sees everything. */
export class World {
  readonly stage: Stage
  readonly auditor: Auditor
  readonly trace: Trace
  readonly network: Network
  readonly post: Post
  readonly shops: Shops
  readonly callbacks: Callbacks
  readonly bell: Bell
  /** The store itself, without anything that slows or changes it. */
  readonly store: Store["Service"]
  readonly #context: Context.Context<Services>
  readonly processes: Processes
  readonly #heldUp = new WeakMap<object, number>()
  /** The number of requests to processes from outside. */
  operations = 0
  readonly latencies = new Latencies()
  /** The faults that the world began with. */
  readonly settings: Faults
  readonly start: Timestamp
  readonly #incidents: ReadonlyArray<Incident>
  readonly visits = new Visits()
  /** How often any process reached each label. */
  readonly steps = new Map<string, number>()
  readonly #crashes: ReadonlyArray<CrashPoint>
  readonly doors: Doors
  readonly hears: (text: string) => string
  #faults: Faults
  #busy = 0
  #calmSince: Timestamp | undefined
  readonly #end = Latch.makeUnsafe(false)

  constructor(options: WorldOptions) {
    const { seed, faults, time, store, alterations, crashes, stop_at, traffic } = options
    this.#faults = faults
    this.settings = faults
    this.start = traffic.from
    this.#incidents = options.incidents
    this.#crashes = crashes
    this.doors = { ...usualDoors, ...alterations.doors }
    this.hears = alterations.hears ?? ((text) => text)
    this.store = store
    this.bell = new Bell(time)
    const broken = (violation: Violation) => {
      if (stop_at.includes(violation.number)) this.#end.openUnsafe()
      options.onViolation?.(violation)
    }
    this.auditor = new Auditor(time.now, broken)
    this.auditor.model.clocksOff = clockTolerance(faults)
    this.trace = new Trace(time.now, options.onStep)
    this.stage = {
      now: time.now,
      chance: (name) => makeChance(`${seed} ${name}`),
      faults: () => this.#faults,
      log: new FaultLog(options.onFault),
      spawn: (effect) => this.#spawn(effect),
      serve: (effect) => {
        this.operations += 1
        return this.processes.serve(effect)
      },
      visit: (id, what) => this.visits.visit(this.auditor.model, id, what),
      measure: (what, millis) => this.latencies.measure(what, millis),
      isDown: (what) => this.#isDown(what),
      upset: (until) => this.auditor.model.upset(until),
      busy: () => this.#busy,
    }
    this.post = new Post(this.stage, this.auditor)
    this.shops = new Shops(this.auditor)
    this.network = new Network(this.stage, {
      makeLedger: alterations.makeLedger ?? ((channel, entered) => new Ledger(channel, entered)),
      ...traffic,
      outages: options.incidents.flatMap((incident) =>
        incident.what === "channel_away"
          ? [{ channel: incident.channel, ...spanOf(incident, traffic.from) }]
          : [],
      ),
      observe: (entry) => {
        const { channel, type, out_trade_no, charge_id, number } = entry
        this.trace.note(`entry ${channel} ${type} ${out_trade_no} ${charge_id} ${number}`)
        this.auditor.entry(entry)
      },
    })
    this.callbacks = new Callbacks(this.stage, this.network, ({ data, flaw, exit }) => {
      const { out_trade_no } = data
      const trade_status =
        "refund_status" in data ? `refund ${data.refund_status}` : data.trade_status
      this.trace.note(`callback ${out_trade_no} ${trade_status} ${flaw} ${exit._tag}`)
      this.auditor.see("callback", out_trade_no, { out_trade_no, trade_status, flaw, exit })
    })
    this.network.connect(this.callbacks.notify, this.callbacks.notifyRefund)
    this.#context = this.#ports(time, alterations, traffic)
    this.processes = this.#startable(traffic, alterations, options.listens)
  }

  /** Runs an effect in this world, to its end or the world's. */
  live<E>(effect: Effect.Effect<void, E, Services>): Effect.Effect<void, E> {
    return Effect.raceFirst(Effect.provideContext(effect, this.#context), this.#end.await)
  }

  /** Ends all faults. */
  calm(): void {
    this.#faults = NO_FAULTS
    this.#calmSince = this.stage.now()
    this.network.calm()
  }

  /** Makes the processes of the service; none works before it is started. */
  #startable(traffic: Outage, alterations: Alterations, listens: boolean): Processes {
    const { offset = (ahead) => ahead } = alterations
    const { bell, stage, trace } = this
    const count = stage.chance("processes").int(2, 4)
    const links = new Links(stage, count, traffic)
    const contextOf = processContexts(stage, this.#context, links, traffic, offset)
    const world: ProcessWorld = {
      stage,
      note: (what) => trace.note(what),
      pass: (label) => this.#pass(label),
      heldUp: (asked, millis) => this.#heldUp.set(asked, millis),
      isCutOff: (place) => links.isCut(place, "clients"),
      contextOf: (life) => {
        const own = contextOf(life)
        if (!listens) return own
        return Context.add(own, EventConsumers, consumersOf(stage, this.auditor, life))
      },
    }
    return new Processes(world, count, (life) =>
      Effect.provideContext(Effect.orDie(work(stage, bell, life)), life.context),
    )
  }

  #isDown(what: Incident["what"]): boolean {
    const after = this.stage.now() - this.start
    return this.#incidents.some(
      (incident) =>
        incident.what === what &&
        incident.after_ms <= after &&
        after < incident.after_ms + incident.lasts_ms,
    )
  }

  #pass(label: string): boolean {
    const count = (this.steps.get(label) ?? 0) + 1
    this.steps.set(label, count)
    return this.#crashes.some((point) => point.label === label && point.nth === count)
  }

  #spawn(effect: Effect.Effect<void, never, Services>): void {
    this.#busy += 1
    const ended = Effect.sync(() => {
      this.#busy -= 1
    })
    const noted = Effect.onExit(effect, (exit) =>
      Effect.sync(() => {
        const where = "something that went on by itself"
        const flaw = Exit.isSuccess(exit) ? undefined : Cause.pretty(exit.cause)
        this.auditor.see("ending", where, { where, flaw })
      }),
    )
    Effect.runForkWith(this.#context)(
      Effect.andThen(Effect.yieldNow, Effect.ensuring(noted, ended)),
    )
  }

  #ports(time: VirtualTime, alterations: Alterations, traffic: Outage): Context.Context<Services> {
    const { stage, auditor } = this
    const same = <A>(service: A): A => service
    const chance = (name: string): Chance => stage.chance(name)
    const heldUp = (asked: object) => this.#heldUp.get(asked) ?? 0
    const watched = watchedStore(this.store, auditor, this.trace, this.bell.ring, heldUp)
    const kept = endingCalendar(watched, () => this.#calmSince)
    const store = slowStore(
      alterations.store === undefined ? kept : answeringStore(alterations.store(kept), time),
      chance("store"),
      () => stage.faults().store_latency_ms,
    )
    const vault = simulatedVault(MASTER, chance("vault"))
    const channels = watchedChannels(simulatedChannels(stage, this.network), auditor, stage.now)
    const revokes = watchedRevoker(revoker(stage), auditor, stage.now, heldUp)
    const clock = (alterations.clock ?? same)(time.clock)
    const rates = marketRates(stage, auditor, alterations.terms)
    const sender = receivers(stage, auditor, heldUp, traffic)
    const engine = eagerLanguage(chance("language engine"))
    return Context.add(Context.add(withHold(), Store, store), Language, engine).pipe(
      Context.add(Channels, (alterations.channels ?? same)(channels)),
      Context.add(Vault, (alterations.vault ?? same)(vault)),
      Context.add(Ids, seededIds(stage.now, chance("ids"))),
      Context.add(RateLeases, (alterations.leases ?? same)(sharedLeases())),
      Context.add(Rates, (alterations.rates ?? same)(rates)),
      Context.add(ReceiverAddress, { check: () => undefined }),
      Context.add(WallClock, { now: Effect.sync(stage.now) }),
      Context.add(WebhookSender, (alterations.sender ?? same)(sender)),
      Context.add(ResourceProbe, (alterations.probe ?? same)(this.shops.probe)),
      Context.add(ProbeInterval, LOOKED_AT_EVERY),
      Context.add(Revoker, (alterations.revoker ?? same)(revokes)),
      Context.add(IdentityVerifier, verifier(stage)),
      Context.add(Messenger, this.post.messenger),
      Context.add(ContactRules, contactRules),
      Context.add(RevocationRetention, DAY),
      Context.add(CurrentRetention, KEPT_BRIEFLY),
      Context.add(Installation, installationOf(alterations.terms)),
      Context.add(Clock.Clock, clock),
      Context.add(Scheduler.Scheduler, time.scheduler),
      Context.merge(quietly(auditor)),
    )
  }
}
