import type { Entries } from "../../adapters/memory/Entries.ts"
import * as EntriesStore from "../../adapters/memory/EntriesStore.ts"
import type { MemoryTransaction } from "../../adapters/memory/MemoryStore.ts"
import { StoreOption } from "./PayportOptions.ts"

/**
 * Keeps everything in entries of the host's, such as a table of SQLite, which are opened with the
 * payport and closed with it. One process has them. What `beforeCommit` wants `onStored` is done
 * within their transaction.
 */
export const storeIn = (open: () => Entries): StoreOption<MemoryTransaction> =>
  new StoreOption((hook) => EntriesStore.layer(open, hook))
