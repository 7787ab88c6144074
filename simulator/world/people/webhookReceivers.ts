import { Effect, Schema } from "effect"
import type { Caller } from "../../../core/accounts/Account.ts"
import { changeEndpoint } from "../../../core/webhooks/endpoints/changeEndpoint.ts"
import { createEndpoint } from "../../../core/webhooks/endpoints/createEndpoint.ts"
import { rotateSecret } from "../../../core/webhooks/endpoints/rotateSecret.ts"
import type { EventType } from "../../../core/webhooks/events/Event.ts"
import { MOST_KEYS } from "../../../core/webhooks/keys/WebhookKey.ts"
import { addWebhookKey, deleteWebhookKey } from "../../../core/webhooks/endpoints/webhookKeys.ts"
import { MINUTE } from "../../../core/shared/Timestamp.ts"
import type { Chance } from "../../random/Chance.ts"
import type { Stage } from "../Stage.ts"

type Enabled = EventType | "*"

/** A receiver that a seller registers; its name says how it behaves. */
export interface ReceiverPlan {
  readonly host: "steady" | "refusing" | "locked" | "hanging" | "dead"
  readonly enabled_events: readonly [Enabled, ...ReadonlyArray<Enabled>]
  readonly encrypted: boolean
}

/**
 * By seller: one of each behaviour, with and without keys of their own. Reports about deliveries
 * that succeed or are retried go to receivers that accept: where they fail, each has retries of its
 * own, and these would be most of what a world does.
 */
export const RECEIVERS: ReadonlyArray<ReadonlyArray<ReceiverPlan>> = [
  [
    { host: "steady", enabled_events: ["*", "webhook.delivery.succeeded"], encrypted: false },
    { host: "dead", enabled_events: ["payment_intent.succeeded"], encrypted: false },
    {
      host: "hanging",
      enabled_events: ["payment_intent.succeeded", "webhook.delivery.failed"],
      encrypted: false,
    },
  ],
  [
    { host: "refusing", enabled_events: ["*"], encrypted: true },
    { host: "steady", enabled_events: ["refund.succeeded", "refund.failed"], encrypted: false },
  ],
  [
    { host: "locked", enabled_events: ["*"], encrypted: false },
    { host: "steady", enabled_events: ["webhook.delivery.retrying"], encrypted: false },
  ],
]

const BYTES = 32

const toBase64 = Schema.encodeSync(Schema.Uint8ArrayFromBase64)

/** Draws a public key in base64. */
const drawKey = (chance: Chance) => {
  const bytes = Uint8Array.from({ length: BYTES }, () => chance.int(0, 255))
  return { public_key: toBase64(bytes), key_type: "x25519" as const }
}

/** Registers a seller's receivers. Returns their ids. */
export const registerReceivers = Effect.fnUntraced(function* (
  stage: Stage,
  seller: Caller,
  n: number,
) {
  const chance = stage.chance(`keys of ${n}`)
  return yield* Effect.forEach(RECEIVERS[n] ?? [], ({ enabled_events, encrypted, host }, place) =>
    Effect.map(
      createEndpoint(seller, {
        url: `https://${host}.example/${n}/${place}`,
        enabled_events,
        encryption: encrypted ? drawKey(chance) : null,
      }),
      ({ id }) => id,
    ),
  )
})

/** How long a seller first waits on average before a change, and how much longer each time. */
const REST = { first: MINUTE, growth: 1.05 } as const

const GRACES = [0, 60, 3_600] as const

/** How many keys a seller adds; well below the maximum. */
const MOST_ADDED = MOST_KEYS / 2

/** Changes a seller's secrets and keys during the traffic, and switches receivers off and on. */
export const changeKeys = Effect.fnUntraced(function* (
  stage: Stage,
  seller: Caller,
  n: number,
  endpoints: ReadonlyArray<string>,
) {
  const chance = stage.chance(`restlessness of ${n}`)
  const keys: Array<string> = []
  for (let rest: number = REST.first; ; rest *= REST.growth) {
    yield* Effect.sleep(chance.wait(rest) + 1_000)
    if (!chance.hits(stage.faults().keys_changed)) continue
    stage.log.note("keys_changed")
    const id = chance.pick([endpoints[0] ?? "", ...endpoints])
    const rotation = { reason: "routine", grace_period_seconds: chance.pick(GRACES) }
    const act = chance.int(0, 5)
    if (act === 0) yield* rotateSecret(seller, { ...rotation, endpoint_id: id })
    else if (act === 1) yield* rotateSecret(seller, rotation)
    else if (act === 2 && keys.length < MOST_ADDED) {
      keys.push((yield* addWebhookKey(seller, drawKey(chance))).id)
    } else if (act === 2 || act === 3) {
      const gone = keys.shift()
      if (gone !== undefined) yield* deleteWebhookKey(seller, gone)
    } else if (act === 4) {
      yield* changeEndpoint(seller, id, {
        encryption: chance.hits(0.5) ? drawKey(chance) : null,
      })
    } else {
      yield* changeEndpoint(seller, id, { status: "disabled" })
      yield* Effect.sleep(chance.wait(MINUTE))
      yield* changeEndpoint(seller, id, { status: "enabled" })
    }
  }
})
