import { Effect, Layer, Redacted } from "effect"
import * as VaultAdapter from "../../adapters/crypto/Vault.ts"
import { DatedRates } from "../../adapters/fx/DatedRates.ts"
import * as MemoryStore from "../../adapters/memory/MemoryStore.ts"
import * as receiverAddress from "../../adapters/webhooks/receiverAddress.ts"
import type { Caller } from "../../core/accounts/Account.ts"
import type { AccountInput } from "../../core/accounts/AccountInput.ts"
import { authenticate } from "../../core/accounts/authenticate.ts"
import { createAccount } from "../../core/accounts/createAccount.ts"
import { Ids } from "../../core/ports/Ids.ts"
import { Store } from "../../core/ports/Store.ts"
import { installation } from "./installation.ts"
import { uuid } from "./records.ts"

/** A store that yields before every read and every commit, so that racers meet. */
const meeting = Layer.effect(
  Store,
  Effect.map(Store, (store) =>
    Store.of({
      ...store,
      commit: (commit) => Effect.andThen(Effect.yieldNow, store.commit(commit)),
      find: (kind, id) => Effect.tap(store.find(kind, id), Effect.yieldNow),
      findBy: (kind, name) => Effect.tap(store.findBy(kind, name), Effect.yieldNow),
    }),
  ),
)

const ids = Layer.sync(Ids, () => {
  let n = 1_000
  return { uuid: () => uuid(n++) }
})

/** Accounts and services over a separate memory store. */
export const core = (said: Parameters<typeof installation>[0] = {}) =>
  Layer.mergeAll(
    meeting.pipe(Layer.provide(MemoryStore.layer)),
    ids,
    VaultAdapter.layer(Redacted.make(new Uint8Array(32).fill(7))),
    receiverAddress.layer,
    DatedRates(),
  ).pipe(Layer.provideMerge(installation(said)))

/** Opens an account and calls with its first key. */
export const open = Effect.fnUntraced(function* (
  agent: string,
  kind: AccountInput["kind"] = "seller",
) {
  const { api_key } = yield* createAccount({ name: `Account of ${agent}`, kind, agent_id: agent })
  const caller: Caller = yield* authenticate(`Bearer ${api_key.key}`)
  return caller
})
