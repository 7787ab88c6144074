import { Effect } from "effect"
import type { WebhookOutcome, WebhookSender } from "../../core/ports/WebhookSender.ts"
import { SECOND } from "../../core/shared/Timestamp.ts"
import type { Auditor } from "../auditor/Auditor.ts"
import type { Stage } from "../world/Stage.ts"

const PATIENCE = 5 * SECOND

/**
 * Receivers of webhooks: they take what they are sent, fail, or let the sender wait in vain. Some
 * do so as a habit, which stands in their names; one is dead for good.
 */
export const receivers = (
  stage: Stage,
  auditor: Auditor,
  heldUp: (asked: object) => number,
): WebhookSender["Service"] => {
  const chance = stage.chance("receivers")
  const isWorld = stage.faults().receiver_failed > 0
  const fails = (host: string): boolean => {
    if (stage.isDown("receivers_down")) return true
    if (host.startsWith("dead")) return isWorld
    const { receiver_failed } = stage.faults()
    if (receiver_failed === 0) return false
    const habit = ["refusing", "locked", "hanging"].some((name) => host.startsWith(name))
    return chance.hits(habit ? 0.8 : receiver_failed)
  }
  const failure = (host: string, duration_ms: number): Effect.Effect<WebhookOutcome> => {
    if (host.startsWith("hanging") || chance.hits(0.2)) {
      const outcome = { status: null, duration_ms: duration_ms + PATIENCE, error: "timeout" }
      return Effect.as(Effect.sleep(PATIENCE), outcome)
    }
    const status = host.startsWith("refusing")
      ? 410
      : host.startsWith("locked")
        ? 401
        : chance.pick([500, 503, 404, 401])
    return Effect.succeed({ status, duration_ms })
  }
  return {
    send: (request) =>
      Effect.gen(function* () {
        const { body, headers, url } = request
        const held_up = heldUp(request)
        const event_id = headers["X-Webhook-Id"] ?? headers["Webhook-Id"] ?? ""
        auditor.see("sent", event_id, {
          event_id,
          url,
          headers,
          body,
          at: stage.now(),
          held_up,
        })
        const duration_ms = chance.int(1, 300)
        yield* Effect.sleep(duration_ms)
        const { hostname } = new URL(url)
        if (!fails(hostname)) return { status: 204, duration_ms }
        stage.log.note("receiver_failed")
        return yield* failure(hostname, duration_ms)
      }),
  }
}
