import { Layer, Redacted } from "effect"
import * as VaultAdapter from "../../adapters/crypto/Vault.ts"
import { sandboxIdentity } from "../../adapters/identity/layer.ts"
import * as MemoryDocuments from "../../adapters/memory/MemoryDocuments.ts"

/** The sandbox's own checks, and messages that go to its inbox. */
export const playedIdentity = sandboxIdentity({ smtp: undefined, sms: undefined })

/** The same with an inbox in memory. */
export const identity = playedIdentity.pipe(
  Layer.provide(MemoryDocuments.layer),
  Layer.provide(VaultAdapter.layer(Redacted.make(new Uint8Array(32).fill(7)))),
)
