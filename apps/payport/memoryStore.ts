import { Layer } from "effect"
import * as MemoryDocuments from "../../adapters/memory/MemoryDocuments.ts"
import * as MemoryRateLeases from "../../adapters/memory/MemoryRateLeases.ts"
import * as MemoryStore from "../../adapters/memory/MemoryStore.ts"
import type { BeforeCommit } from "../../adapters/shared/BeforeCommit.ts"
import { StoreOption } from "./PayportOptions.ts"

/** A store in memory, for tests and trials. Its records end when the payport is closed. */
export const memory = (): StoreOption<MemoryStore.MemoryTransaction> =>
  new StoreOption(
    (hook: BeforeCommit<MemoryStore.MemoryTransaction> | undefined) => {
      const store = hook === undefined ? MemoryStore.layer : MemoryStore.hooked(hook)
      return Layer.mergeAll(store, MemoryDocuments.layer, MemoryRateLeases.layer)
    },
    { endsWithProcess: true },
  )
