import { expect, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import * as VaultAdapter from "../../../adapters/crypto/Vault.ts"
import { inboxCarrier, layer } from "../../../adapters/identity/sandbox/inbox.ts"
import * as MemoryDocuments from "../../../adapters/memory/MemoryDocuments.ts"
import { Inbox } from "../../../core/ports/Inbox.ts"

const vaultOf = (n: number) => VaultAdapter.layer(Redacted.make(new Uint8Array(32).fill(n)))

const message = (id: string) => ({
  account_id: "acct_one",
  channel: "email" as const,
  id,
  verification_id: "verification",
  to: "ada@example.com",
  subject: "Your code",
  text: `The code of ${id}.`,
})

const send = (id: string) => Effect.flatMap(inboxCarrier, (carry) => carry(message(id)))

const listed = Effect.flatMap(Inbox, (inbox) => inbox.list("acct_one", undefined)).pipe(
  Effect.map((messages) => messages.map(({ id }) => id)),
)

it.effect("lists no message whose key is gone, and all others", () =>
  Effect.gen(function* () {
    yield* Effect.provide(send("old"), vaultOf(1))
    yield* Effect.provide(send("new"), vaultOf(2))
    expect(yield* Effect.provide(listed, Layer.provideMerge(layer, vaultOf(2)))).toEqual(["new"])
    expect(yield* Effect.provide(listed, Layer.provideMerge(layer, vaultOf(1)))).toEqual(["old"])
  }).pipe(Effect.provide(MemoryDocuments.layer)),
)
