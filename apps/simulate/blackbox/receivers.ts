import nacl from "tweetnacl"
import { open } from "../../../adapters/receiver/receive.ts"
import { WebhookError } from "../../../adapters/receiver/WebhookError.ts"
import { MINUTE, SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"
import type { Arrival } from "../../../simulator/blackbox/Seen.ts"
import type { Chance } from "../../../simulator/random/Chance.ts"
import { RECEIVERS } from "../../../simulator/world/people/webhookReceivers.ts"
import type { Actor, ApiClient, RunContext } from "./ApiClient.ts"
import { certainSecrets, type Secret } from "./certainSecrets.ts"
import { type Answer, type Received, Receiver } from "./Receiver.ts"

/** A registered receiver, with the secrets and keys of its webhooks. */
interface Registered {
  /** The endpoint's id, or the id of the seller whose services it belongs to. */
  readonly id: string
  readonly owner: string
  readonly secrets: Array<Secret>
  readonly key: nacl.BoxKeyPair | undefined
}

/** How many webhooks are left hanging, since each costs five seconds of real time. */
const HANGS = 2

/** Tolerance: a slightly earlier decision still counts. */
const SLACK = 2 * SECOND

const NONE: Secret = { secret: "none is known", from: -Infinity, until: Infinity }

const BASE64 = "base64"

const idOf = ({ headers }: Received): string =>
  headers["webhook-id"] ?? headers["x-webhook-id"] ?? ""

const tookIt = ({ answer }: Received): boolean => typeof answer === "object" && answer.status < 300

/** A received webhook, with the fields that find its delivery. */
export interface ArrivedWebhook extends Arrival {
  /** The registered endpoint's id; empty for a service's own. */
  readonly endpoint: string
  readonly owner: string
  /** How often the same event had arrived at the same address. */
  readonly before: number
}

/** Makes a webhook that arrived where nobody registered a receiver. */
const unregistered = (received: Received): ArrivedWebhook => ({
  endpoint_id: received.place,
  event_id: idOf(received),
  registered: false,
  flaw: undefined,
  sealed: false,
  has_key: false,
  after_success: false,
  type: undefined,
  data: undefined,
  endpoint: "",
  owner: "",
  before: 0,
})

/** The sellers' receivers: their behaviour, and what has arrived. */
export class Receivers {
  readonly server: Receiver
  readonly #context: RunContext
  readonly #registered = new Map<string, Registered>()
  readonly #isDown: () => boolean
  #hangs = 0
  #replacements = 0

  /** `isDown` returns whether the scenario has all of them down at the moment. */
  constructor(context: RunContext, isDown: () => boolean, base: string | undefined) {
    this.#context = context
    this.#isDown = isDown
    const chance = context.chance("receivers")
    this.server = new Receiver((place) => this.#answer(place, chance), context.time, base)
  }

  /** Returns the endpoint of a seller's services. */
  ofService({ name }: Actor, n: number): string {
    return this.server.urlOf(`service/${name}/${n}`)
  }

  /** Registers a seller's receivers, and reads the secrets of its services. */
  async register(client: ApiClient, seller: Actor, n: number): Promise<void> {
    const shown = await client.get(seller, "/v1/merchant/webhook-secret")
    const secret = (shown as { readonly secret: string } | undefined)?.secret
    this.#registered.set(`service/${seller.name}/${n}`, {
      id: "",
      owner: seller.name,
      secrets: secret === undefined ? [] : [{ secret, from: -Infinity, until: Infinity }],
      key: undefined,
    })
    for (const [k, plan] of (RECEIVERS[n] ?? []).entries()) {
      const place = `${plan.host}/${n}/${k}`
      const key = plan.encrypted ? nacl.box.keyPair() : undefined
      const body = {
        url: this.server.urlOf(place),
        enabled_events: plan.enabled_events,
        ...(key !== undefined && {
          encryption: {
            public_key: Buffer.from(key.publicKey).toString(BASE64),
            key_type: "x25519",
          },
        }),
      }
      const path = "/v1/webhook-endpoints"
      const made = await client.post<{ readonly id: string; readonly secret: string }>(
        seller,
        path,
        body,
      )
      if (made === undefined) continue
      const secrets = [{ secret: made.secret, from: -Infinity, until: Infinity }]
      this.#registered.set(place, { id: made.id, owner: seller.name, secrets, key })
    }
  }

  /** Returns the ids of a seller's registered receivers. */
  endpointsOf({ name }: Actor): ReadonlyArray<string> {
    return [...this.#registered.values()].flatMap(({ id, owner }) =>
      owner === name && id !== "" ? [id] : [],
    )
  }

  /** How many secrets were replaced. */
  get replacements(): number {
    return this.#replacements
  }

  /** Records that a secret was replaced: of an endpoint, or of an account if `id` is null. */
  replaced(id: string | null, owner: string, secret: string, graceUntil: Timestamp): void {
    this.#replacements += 1
    for (const one of this.#registered.values()) {
      if (one.owner !== owner || (id ?? "") !== one.id) continue
      for (const old of one.secrets) old.until = Math.min(old.until, graceUntil)
      one.secrets.push({ secret, from: Date.now(), until: Infinity })
    }
  }

  /** Returns everything that has arrived, judged by the final knowledge. */
  arrivals(): ReadonlyArray<ArrivedWebhook> {
    const before = new Map<string, { arrivals: number; taken: boolean }>()
    return this.server.received.flatMap((received) => {
      const known = this.#registered.get(received.place)
      if (known === undefined) return [unregistered(received)]
      const event_id = idOf(received)
      const name = `${received.place} ${event_id}`
      const earlier = before.get(name) ?? { arrivals: 0, taken: false }
      const { arrivals, taken } = earlier
      before.set(name, { arrivals: arrivals + 1, taken: taken || tookIt(received) })
      const judged = { ...this.#judge(received, known), event_id, after_success: taken }
      return [{ ...judged, endpoint: known.id, owner: known.owner, before: arrivals }]
    })
  }

  #judge(received: Received, { id, key, secrets }: Registered) {
    const { at, body, headers, place, service_at } = received
    const alive = secrets.filter(({ until }) => until > service_at - SLACK)
    const sealed = Buffer.from(body).includes('"encrypted":true')
    if (alive.length === 0) alive.push(NONE)
    const endpoint_id = id === "" ? place : id
    const facts = { endpoint_id, registered: true, sealed, has_key: key !== undefined }
    const opened = (known: ReadonlyArray<Secret>) =>
      open(
        { headers, body },
        {
          secrets: known.map(({ secret }) => secret),
          keys: key === undefined ? [] : [key.secretKey],
          now: () => at,
        },
      )
    try {
      const event = opened(alive)
      for (const one of certainSecrets(secrets, received)) opened([one])
      return { ...facts, flaw: undefined, type: event.type, data: { ...event.data } }
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error
      return { ...facts, flaw: error.message, type: undefined, data: undefined }
    }
  }

  #answer(place: string, chance: Chance): Answer {
    const { faults, log } = this.#context
    const { receiver_failed } = faults()
    const habit = ["refusing", "locked", "hanging"].some((name) => place.startsWith(name))
    const isDead = place.startsWith("dead") && receiver_failed > 0
    const fails =
      this.#isDown() || isDead || chance.hits(receiver_failed > 0 && habit ? 0.8 : receiver_failed)
    if (!fails) return this.#mishap(chance) ?? { status: 204 }
    log.note("receiver_failed")
    if (place.startsWith("hanging") && this.#hangs < HANGS) {
      this.#hangs += 1
      return "hangs"
    }
    if (place.startsWith("refusing")) return { status: 410 }
    if (place.startsWith("locked")) return { status: 401 }
    return chance.hits(0.2) ? "resets" : { status: chance.pick([500, 503, 404, 401]) }
  }

  /** Draws a fault of a receiver without other faults. */
  #mishap(chance: Chance): Answer | undefined {
    const { faults, log } = this.#context
    const { receiver_pours, receiver_redirects, receiver_resets } = faults()
    if (chance.hits(receiver_redirects)) {
      log.note("receiver_redirects")
      const status = chance.pick([301, 302, 303, 307, 308])
      return { status, location: this.server.urlOf("elsewhere") }
    }
    if (chance.hits(receiver_resets)) {
      log.note("receiver_resets")
      return "resets"
    }
    if (!chance.hits(receiver_pours)) return undefined
    log.note("receiver_pours")
    return { status: 200, pours: true }
  }
}

const GRACES = [0, 60, 3_600] as const

/** Replaces a seller's secrets during the traffic, and switches receivers off and on. */
export const changeKeys = async (
  { chance: chanceOf, faults, log, time }: RunContext,
  client: ApiClient,
  seller: Actor,
  receivers: Receivers,
  isOver: () => boolean,
): Promise<void> => {
  const chance = chanceOf(`restlessness of ${seller.name}`)
  const [first, ...others] = receivers.endpointsOf(seller)
  if (first === undefined || faults().keys_changed === 0) return
  const switchTo = (id: string, status: string) =>
    client.send({
      who: seller,
      method: "PATCH",
      path: `/v1/webhook-endpoints/${id}`,
      body: { status },
      key: null,
    })
  while (!isOver()) {
    await time.sleep(chance.wait(MINUTE) + SECOND)
    if (isOver() || !chance.hits(faults().keys_changed)) continue
    log.note("keys_changed")
    const id = chance.pick([first, ...others])
    if (chance.hits(0.3)) {
      await switchTo(id, "disabled")
      await time.sleep(chance.wait(MINUTE))
      await switchTo(id, "enabled")
      continue
    }
    const endpoint_id = chance.hits(0.5) ? id : null
    const grace = chance.pick(GRACES)
    const body = { reason: "routine", grace_period_seconds: grace, endpoint_id }
    const path = "/v1/merchant/webhook-secrets/rotate"
    await client.post(seller, path, body, (made) => {
      const { secret } = made as { readonly secret: string }
      receivers.replaced(endpoint_id, seller.name, secret, time.now() + grace * SECOND)
    })
  }
}
