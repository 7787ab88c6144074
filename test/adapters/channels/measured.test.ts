import { Effect, Exit } from "effect"
import { expect, test } from "vitest"
import { outcomeOf } from "../../../adapters/channels/measured.ts"
import { outcomeLabel } from "../../../adapters/webhooks/sender.ts"
import { ChannelRefusal } from "../../../core/ports/Channels.ts"

const refusal = new ChannelRefusal({ reason: "rate_limited", message: "Come again." })

test.each([
  [Exit.succeed({ type: "done", trade_no: "t" }), "done"],
  [Exit.succeed({ qr_data: "q" }), "ok"],
  [Exit.void, "ok"],
  [Exit.fail(refusal), "rate_limited"],
  [Effect.runSyncExit(Effect.die(new Error("?"))), "failed"],
] as const)("a call that ended with %o is counted as %s", (exit, outcome) => {
  expect(outcomeOf(exit)).toBe(outcome)
})

test.each([
  [{ status: 204 }, "2xx"],
  [{ status: 503 }, "5xx"],
  [{ status: null, error: "dns" }, "dns"],
  [{ status: null }, "network_error"],
])("an attempt that ended with %o is counted as %s", (outcome, label) => {
  expect(outcomeLabel({ duration_ms: 1, ...outcome })).toBe(label)
})
