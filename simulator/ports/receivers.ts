import { Effect } from "effect"
import type {
  WebhookOutcome,
  WebhookRequest,
  WebhookSender,
} from "../../core/ports/WebhookSender.ts"
import { MINUTE, SECOND, type Timestamp } from "../../core/shared/Timestamp.ts"
import type { Auditor } from "../auditor/Auditor.ts"
import { drawOutages, type Outage, outageEnd } from "../channels/Outages.ts"
import type { FaultName } from "../faults/Faults.ts"
import { AWAY } from "../faults/partyFaults.ts"
import type { Chance } from "../random/Chance.ts"
import type { Stage } from "../world/Stage.ts"
import { errorWhenAsked } from "../world/processes/ProcessClock.ts"
import type { RevocationOutcome, Revoker } from "../../core/ports/Revoker.ts"

/** The address of a receiver, from the range for documentation and tests. */
const OWN = "203.0.113.7"

const PRIVATE = ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "fd00:ec2::254"] as const

/** How a name server answers. */
type Naming = "name_unknown" | "name_unanswered" | "name_rebound" | "name_mixed" | "well"

/** Returns the addresses of a name; empty if there is no answer. */
const addressesOf = (chance: Chance, naming: Naming): ReadonlyArray<string> => {
  if (naming === "well") return [OWN]
  if (naming === "name_rebound") return [chance.pick(PRIVATE)]
  if (naming !== "name_mixed") return []
  const inside = chance.pick(PRIVATE)
  return chance.hits(0.5) ? [OWN, inside] : [inside, OWN]
}

/** Whether an address is internal, where no webhook may be sent. */
const isInside = (address: string): boolean => address !== OWN

const PATIENCE = 5 * SECOND

/** The first KiB of 10 MB; a sender keeps no more of a response. */
const POURED = "a".repeat(1_024)

/** The address to which a redirecting receiver points. */
const ELSEWHERE = "https://inside.example/metadata"

/** Faults that prevent a webhook's delivery; at most one happens. */
const MISHAPS = [
  "name_unknown",
  "name_unanswered",
  "name_rebound",
  "name_mixed",
  "receiver_insecure",
  "receiver_redirects",
  "receiver_resets",
  "receiver_drips",
  "receiver_pours",
] as const satisfies ReadonlyArray<FaultName>

type Mishap = (typeof MISHAPS)[number]

const namingOf = (mishap: Mishap | undefined): Naming =>
  mishap === "name_unknown" ||
  mishap === "name_unanswered" ||
  mishap === "name_rebound" ||
  mishap === "name_mixed"
    ? mishap
    : "well"

/** Whether a host always behaves in one way, which is in its name. */
const isHabitual = (host: string): boolean =>
  host.startsWith("refusing") || host.startsWith("locked") || host.startsWith("hanging")

/**
 * Receivers of webhooks: they accept, fail, or let the sender wait in vain. Some do so always, some
 * for a time; one is dead for good. Their names resolve correctly or not. An outage may last longer
 * than the world's other faults: nobody waits for a receiver to come back.
 */
class Receivers {
  readonly #stage: Stage
  readonly #traffic: Outage
  readonly #chance: Chance
  readonly #names: Chance
  readonly #isWorld: boolean
  readonly #outagesPerHour: number
  readonly #outages = new Map<string, ReadonlyArray<Outage>>()
  /** Until when a receiver fails that had accepted webhooks. */
  readonly #turned = new Map<string, Timestamp>()

  constructor(stage: Stage, traffic: Outage) {
    this.#stage = stage
    this.#traffic = traffic
    this.#chance = stage.chance("receivers")
    this.#names = stage.chance("names of receivers")
    this.#isWorld = stage.faults().receiver_failed > 0
    this.#outagesPerHour = stage.faults().receiver_outages_per_hour
  }

  /** Draws at most one mishap. */
  mishap(about: string): Mishap | undefined {
    const faults = this.#stage.faults()
    let left = this.#names.next()
    for (const mishap of MISHAPS) {
      left -= faults[mishap]
      if (left >= 0) continue
      this.#stage.log.note(mishap, about)
      return mishap
    }
    return undefined
  }

  /** Returns why a webhook cannot be sent; undefined if it can. */
  obstacle(mishap: Mishap | undefined): string | undefined {
    const addresses = addressesOf(this.#names, namingOf(mishap))
    if (addresses.length === 0) return "dns"
    if (addresses.some(isInside)) return "address_forbidden"
    return mishap === "receiver_insecure" ? "tls" : undefined
  }

  isAway(host: string, about: string): boolean {
    if (this.#outagesPerHour === 0) return false
    let outages = this.#outages.get(host)
    if (outages === undefined) {
      const chance = this.#stage.chance(`outages of ${host}`)
      outages = drawOutages(chance, this.#outagesPerHour, this.#traffic, AWAY)
      this.#outages.set(host, outages)
    }
    const isAway = outageEnd(outages, this.#stage.now()) !== undefined
    if (isAway) this.#stage.log.note("receiver_away", about)
    return isAway
  }

  #fails(host: string): boolean {
    if (this.#stage.isDown("receivers_down")) return true
    if (host.startsWith("dead")) return this.#isWorld
    const { receiver_failed } = this.#stage.faults()
    if (receiver_failed === 0) return false
    return this.#chance.hits(isHabitual(host) ? 0.8 : receiver_failed)
  }

  #failure(host: string): WebhookOutcome {
    if (host.startsWith("hanging") || this.#chance.hits(0.2)) {
      return { status: null, duration_ms: PATIENCE, error: "timeout" }
    }
    const status = host.startsWith("refusing")
      ? 410
      : host.startsWith("locked")
        ? 401
        : this.#chance.pick([500, 503, 404, 401])
    return { status, duration_ms: 0 }
  }

  /** Whether the receiver fails since it last accepted a webhook, or starts to now. */
  #hasTurned(host: string, about: string): boolean {
    const { receiver_turns } = this.#stage.faults()
    if (receiver_turns === 0) return false
    if ((this.#turned.get(host) ?? 0) > this.#stage.now()) {
      this.#stage.log.note("receiver_turns", about)
      return true
    }
    if (this.#chance.hits(receiver_turns)) {
      this.#turned.set(host, this.#stage.now() + this.#chance.int(SECOND, MINUTE))
    }
    return false
  }

  /** Returns the response of a reached receiver, and how much longer it takes. */
  answer(host: string, mishap: Mishap | undefined, about: string): WebhookOutcome {
    switch (mishap) {
      case "receiver_redirects":
        return {
          status: this.#chance.pick([301, 302, 307, 308]),
          duration_ms: 0,
          response: ELSEWHERE,
        }
      case "receiver_resets":
        return { status: null, duration_ms: 0, error: "connection_reset" }
      case "receiver_drips":
        return this.#chance.hits(0.5)
          ? { status: 200, duration_ms: PATIENCE, response: "a" }
          : { status: null, duration_ms: PATIENCE, error: "timeout" }
      case "receiver_pours":
        return { status: 200, duration_ms: 0, response: POURED }
      default:
        if (this.isAway(host, about))
          return { status: null, duration_ms: 0, error: "connection_refused" }
        if (this.#fails(host)) {
          this.#stage.log.note("receiver_failed", about)
          return this.#failure(host)
        }
        return { status: this.#hasTurned(host, about) ? 503 : 204, duration_ms: 0 }
    }
  }
}

/** Returns the event of a webhook. */
const eventOf = ({ headers }: WebhookRequest): string =>
  headers["X-Webhook-Id"] ?? headers["Webhook-Id"] ?? ""

/** The sender of webhooks to the world's receivers; the auditor sees all that is sent. */
export const receivers = (
  stage: Stage,
  auditor: Auditor,
  heldUp: (asked: object) => number,
  traffic: Outage,
): WebhookSender["Service"] => {
  const chance = stage.chance("ways to receivers")
  const all = new Receivers(stage, traffic)
  const see = (request: WebhookRequest): void => {
    const { body, headers, url } = request
    const held_up = heldUp(request)
    const event_id = eventOf(request)
    const at = stage.now()
    const ahead = errorWhenAsked(request)
    auditor.see("sent", event_id, { event_id, url, headers, body, at, held_up, ahead })
  }
  return {
    send: (request) =>
      Effect.gen(function* () {
        const mishap = all.mishap(eventOf(request))
        const error = all.obstacle(mishap)
        see(request)
        const took = chance.int(1, 300)
        yield* Effect.sleep(took)
        if (error !== undefined) return { status: null, duration_ms: took, error }
        const answer = all.answer(new URL(request.url).hostname, mishap, eventOf(request))
        if (answer.duration_ms > 0) yield* Effect.sleep(answer.duration_ms)
        return { ...answer, duration_ms: took + answer.duration_ms }
      }),
  }
}

const unavailable: RevocationOutcome = {
  type: "failed",
  error: { code: "revocation_unavailable", message: "The seller's system did not answer." },
}

/** Sellers' systems that revoke access, and sometimes fail. */
export const revoker = (stage: Stage): Revoker["Service"] => {
  const chance = stage.chance("revoker")
  return {
    revoke: ({ revocation }) =>
      Effect.gen(function* () {
        yield* Effect.sleep(chance.int(1, 300))
        if (!chance.hits(stage.faults().revocation_failed)) return { type: "revoked" }
        stage.log.note("revocation_failed", revocation.refund)
        return unavailable
      }),
  }
}
