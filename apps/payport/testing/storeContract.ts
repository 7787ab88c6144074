import { Effect, Layer } from "effect"
import { Store } from "../../../core/ports/Store.ts"
import { collect, type Contract } from "./Contract.ts"
import { activeServices } from "./store/activeServices.ts"
import { againstModel } from "./store/againstModel.ts"
import { atomicity } from "./store/atomicity.ts"
import { auditLog } from "./store/audit.ts"
import { brokenConnections } from "./store/brokenConnections.ts"
import { due } from "./store/due.ts"
import { extremes } from "./store/extremes.ts"
import type { StoreFaults } from "./store/faults.ts"
import { identityReads } from "./store/identity.ts"
import { installReads } from "./store/installs.ts"
import { keysAndCounters } from "./store/keys.ts"
import { ledger } from "./store/ledger.ts"
import { lists } from "./store/lists.ts"
import { names } from "./store/names.ts"
import { operatorLists } from "./store/operators.ts"
import { races } from "./store/races.ts"
import { reads } from "./store/reads.ts"
import { reconciliation } from "./store/reconciliation.ts"
import { refundReads } from "./store/refunds.ts"
import { parting } from "./store/parting.ts"
import { replies } from "./store/replies.ts"
import { revocations } from "./store/revocations.ts"
import { scans } from "./store/scan.ts"
import { listings } from "./store/listings.ts"
import { search } from "./store/search.ts"
import { shares } from "./store/shares.ts"
import { StoreCoverage, type StoreCovered } from "./StoreCoverage.ts"
import { subscriptions } from "./store/subscriptions.ts"
import { upkeep } from "./store/upkeep.ts"
import { usage } from "./store/usage.ts"
import { webhooks } from "./store/webhooks.ts"

const PARTS = [
  reads,
  scans,
  atomicity,
  keysAndCounters,
  names,
  extremes,
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
  listings,
  activeServices,
  lists,
  upkeep,
  parting,
  ledger,
  usage,
  reconciliation,
  webhooks,
  againstModel,
]

/** The store to be checked. */
export interface StoreUnderTest {
  /** Makes a layer of a new and empty store; called once for each check, which closes the layer. */
  readonly open: () => Layer.Layer<Store, unknown>
  /**
   * The same, together with faults, for a store with a server. A check's own scope closes before
   * its store does.
   */
  readonly openFaulty?: (() => Layer.Layer<Store | StoreFaults, unknown>) | undefined
}

/**
 * Checks what every `Store` does. Records are stored without the records that they refer to, since
 * a store checks no references.
 */
export const storeContract = ({ open, openFaulty }: StoreUnderTest): Contract<StoreCovered> => {
  const coverage = new StoreCoverage()
  const seen = Layer.effect(Store, Effect.map(Store, coverage.watch))
  const checks = collect<Store>((test) => {
    const opened = Effect.sync(() => Layer.provide(seen, open()))
    return Effect.flatMap(opened, (layer) => Effect.provide(test, layer))
  }, PARTS)
  const broken =
    openFaulty === undefined
      ? []
      : collect<Store | StoreFaults>(
          (test) => Effect.suspend(() => Effect.provide(test, openFaulty())),
          [brokenConnections],
        )
  return { checks: [...checks, ...broken], coverage: coverage.covered }
}
