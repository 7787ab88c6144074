import { Effect } from "effect"
import type { WebhookSender } from "../../core/ports/WebhookSender.ts"
import { SECOND } from "../../core/shared/Timestamp.ts"
import type { Auditor } from "../auditor/Auditor.ts"
import type { Stage } from "../world/Stage.ts"

/** Receivers of webhooks: they take what they are sent, fail, or let the sender wait in vain. */
export const receivers = (stage: Stage, auditor: Auditor): WebhookSender["Service"] => {
  const chance = stage.chance("receivers")
  return {
    send: ({ headers }) =>
      Effect.gen(function* () {
        const event_id = headers["X-Webhook-Id"] ?? ""
        auditor.see("sent", event_id, { event_id, at: stage.now() })
        const duration_ms = chance.int(1, 300)
        yield* Effect.sleep(duration_ms)
        if (!chance.hits(stage.faults().receiver_failed)) return { status: 204, duration_ms }
        stage.log.note("receiver_failed")
        if (chance.hits(0.3)) {
          yield* Effect.sleep(5 * SECOND)
          return { status: null, duration_ms: duration_ms + 5 * SECOND, error: "timeout" }
        }
        return { status: chance.pick([500, 503, 404, 401]), duration_ms }
      }),
  }
}
