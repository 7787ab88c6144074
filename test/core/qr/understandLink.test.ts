import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { understandLink } from "../../../core/qr/understandLink.ts"
import { T0 } from "../../support/records.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { as, buyer } from "../../support/world.ts"
import { install, opened, pay } from "../installs/installWorld.ts"
import { workWorld } from "../work/workWorld.ts"

describe("the link of a payment that is being charged", () => {
  it.effect("asks for patience, and not for another payment", () => {
    const script = makeScript()
    script.answer = () => Effect.succeed({ type: "unknown", message: "no answer" })
    return Effect.gen(function* () {
      const store = yield* opened
      yield* install()
      yield* pay(500)
      const [stored] = yield* store.listIntents({ viewer: buyer.id, limit: 9, now: T0 })
      expect(stored).toMatchObject({ status: "debiting" })
      const link = { type: "pay", id: stored?.id ?? "", channel: null } as const
      const { action, item } = yield* understandLink(as(buyer), link, { text: "", version: 1 })
      expect(action).toBeNull()
      expect(item.problems).toMatchObject([
        {
          code: "not_payable",
          message: "The payment is being charged without asking. Wait for its outcome.",
        },
      ])
    }).pipe(Effect.provide(workWorld({ script })))
  })
})
