import type { Entries } from "../../adapters/memory/Entries.ts"
import * as EntriesStore from "../../adapters/memory/EntriesStore.ts"
import type { MemoryTransaction } from "../../adapters/memory/MemoryStore.ts"
import { StoreOption } from "./PayportOptions.ts"

/**
 * A store on entries of the host's, such as a table of SQLite. They are opened and closed with the
 * payport, and only one process may use them. `onStored` callbacks of `beforeCommit` run within
 * their transaction.
 */
export const storeIn = (open: () => Entries): StoreOption<MemoryTransaction> =>
  new StoreOption((hook) => EntriesStore.layer(open, hook))
