import { Effect } from "effect"
import type { ApiKey } from "../../core/accounts/ApiKey.ts"
import type { Write } from "../../core/ports/Store.ts"
import { keyHolders } from "../../simulator/parts/keyHolders.ts"
import { changingList } from "../support/finding.ts"
import { type Flaw, storing } from "./flaw.ts"

const flaw = (name: string, alterations: Flaw["alterations"]): Flaw => ({
  name,
  noticed_by: [125],
  alterations,
  parts: [keyHolders.name],
})

/** A store that writes keys otherwise. */
const writing = (change: (key: ApiKey) => ApiKey): Flaw["alterations"] =>
  storing((commit) => ({
    ...commit,
    writes: commit.writes.map((write): Write =>
      write.kind === "api_key" && write.op !== "remove"
        ? { ...write, record: change(write.record) }
        : write,
    ),
  }))

/** Flaws of what is done with keys. */
export const keyRingFlaws: ReadonlyArray<Flaw> = [
  flaw("a suspended key goes on", {
    store: (store) => ({
      ...store,
      findCredential: (hash) =>
        Effect.map(store.findCredential(hash), (found) =>
          found === undefined
            ? undefined
            : { ...found, api_key: { ...found.api_key, suspended_at: null } },
        ),
    }),
  }),
  flaw("nobody knows which keys a key has issued", {
    store: (store) => ({
      ...store,
      list: changingList(store, "api_key", (keys) =>
        keys.map((key) => ({ ...key, minted_by: null })),
      ),
    }),
  }),
  flaw(
    "a key that was rolled keeps its time",
    writing((key) => ({ ...key, expires_at: null })),
  ),
]
