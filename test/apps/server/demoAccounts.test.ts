import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { openDemoAccounts } from "../../../apps/server/demoAccounts.ts"
import { levelAt } from "../../../core/kyc/agents/Agent.ts"
import { Store } from "../../../core/ports/Store.ts"
import { core } from "../../support/core.ts"
import { T0 } from "../../support/records.ts"

const keys = {
  seller: Redacted.make(`sk_test_${"s".repeat(43)}`),
  buyer: Redacted.make(`ag_sk_test_${"b".repeat(43)}`),
}

/** A store of a process that has looked for the agents before another process stored them. */
const withoutAgents = Effect.map(Store, (store): Store["Service"] => ({
  ...store,
  find: (kind, id) => (kind === "agent" ? Effect.undefined : store.find(kind, id)),
}))

const demoSeller = Effect.gen(function* () {
  const store = yield* Store
  const account = yield* store.findBy("account", { agent_id: "demo-seller" })
  return yield* store.findBy("agent", {
    account_id: account?.id ?? "",
    agent_id: "demo-seller",
  })
})

describe("the demo accounts", () => {
  it.effect("are opened once, the seller as a business", () =>
    Effect.gen(function* () {
      yield* openDemoAccounts(keys)
      yield* openDemoAccounts(keys)
      expect(levelAt(yield* demoSeller, T0)).toBe("business")
    }).pipe(Effect.provide(core())),
  )

  it.effect("are left as they are by a process that was second and does not know it", () =>
    Effect.gen(function* () {
      yield* openDemoAccounts(keys)
      yield* Effect.provideService(openDemoAccounts(keys), Store, yield* withoutAgents)
      expect(levelAt(yield* demoSeller, T0)).toBe("business")
    }).pipe(Effect.provide(core())),
  )
})
