import { Layer } from "effect"
import * as MemoryDocuments from "../../adapters/memory/MemoryDocuments.ts"
import * as MemoryRateLeases from "../../adapters/memory/MemoryRateLeases.ts"
import * as MemoryStore from "../../adapters/memory/MemoryStore.ts"
import { StoreOption } from "./PayportOptions.ts"

/** Keeps everything in memory, until the payport is closed: for tests and for trying. */
export const memory = (): StoreOption =>
  new StoreOption(
    Layer.mergeAll(MemoryStore.layer, MemoryDocuments.layer, MemoryRateLeases.layer),
    { endsWithProcess: true },
  )
