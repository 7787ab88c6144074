import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe } from "vitest"
import { activeServices } from "./store/activeServices.ts"
import { atomicity } from "./store/atomicity.ts"
import { auditLog } from "./store/audit.ts"
import { brokenConnections, type MakeFaulty } from "./store/brokenConnections.ts"
import { subscriptions } from "./store/subscriptions.ts"
import { due } from "./store/due.ts"
import { identityReads } from "./store/identity.ts"
import { installReads } from "./store/installs.ts"
import { keysAndCounters } from "./store/keys.ts"
import { ledger } from "./store/ledger.ts"
import { lists } from "./store/lists.ts"
import { againstModel } from "./store/againstModel.ts"
import type { Check, MakeStore } from "./store/probe.ts"
import { races } from "./store/races.ts"
import { operatorLists } from "./store/operators.ts"
import { reads } from "./store/reads.ts"
import { reconciliation } from "./store/reconciliation.ts"
import { refundReads } from "./store/refunds.ts"
import { replies } from "./store/replies.ts"
import { revocations } from "./store/revocations.ts"
import { scans } from "./store/scan.ts"
import { shares } from "./store/shares.ts"
import { search } from "./store/search.ts"
import { webhooks } from "./store/webhooks.ts"
import { usage } from "./store/usage.ts"
import { upkeep } from "./store/upkeep.ts"

/**
 * What every `Store` does. `makeStore` is called once a test and gives a layer of a new and empty
 * store. A store with a server behind it also gives `makeFaulty`, the same together with
 * `StoreFaults`; a test's own scope closes before its store does. Records are stored without those
 * that they refer to: a store checks no references.
 */
export const storeContract = (
  name: string,
  makeStore: MakeStore,
  makeFaulty?: MakeFaulty,
): unknown =>
  describe(`${name}: the store`, () => {
    const check: Check = (title, test) =>
      it.live(title, () => Effect.suspend(test).pipe(Effect.scoped, Effect.provide(makeStore())))
    for (const part of [
      reads,
      scans,
      atomicity,
      keysAndCounters,
      races,
      refundReads,
      replies,
      revocations,
      identityReads,
      installReads,
      subscriptions,
      operatorLists,
      auditLog,
      due,
      shares,
      search,
      activeServices,
      lists,
      upkeep,
      ledger,
      usage,
      reconciliation,
      webhooks,
      againstModel,
    ])
      part(check)
    if (makeFaulty !== undefined) {
      brokenConnections((title, test) =>
        it.live(title, () =>
          Effect.suspend(test).pipe(Effect.scoped, Effect.provide(makeFaulty())),
        ),
      )
    }
  })
