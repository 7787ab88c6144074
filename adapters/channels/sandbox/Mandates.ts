import { Context, Effect, Layer, Schema } from "effect"
import { Documents } from "../../../core/ports/Documents.ts"
import type { MandateReference } from "../../../core/ports/Channels.ts"
import type { StoreUnavailable } from "../../../core/ports/Store.ts"
import { Money } from "../../../core/shared/Money.ts"
import { retryWrite } from "../../shared/retryWrite.ts"

const SCOPE = "sandbox_mandate"

/** A mandate in a sandbox channel's books. It is approved at once, or by a person in the wallet. */
const Mandate = Schema.Struct({
  status: Schema.Literals(["pending", "active", "revoked"]),
  /** The largest debit. */
  auto_pay_limit: Money,
})
export type Mandate = typeof Mandate.Type

type Stored<A> = Effect.Effect<A, StoreUnavailable>

/** The sandbox channels' mandates, shared by all processes. */
export class Mandates extends Context.Service<
  Mandates,
  {
    readonly find: (reference: MandateReference) => Stored<Mandate | undefined>
    /** Stores the result of `decide`. Undefined or the same mandate stores nothing. */
    readonly change: (
      reference: MandateReference,
      decide: (before: Mandate | undefined) => Mandate | undefined,
    ) => Stored<Mandate | undefined>
  }
>()("payport/adapters/channels/sandbox/Mandates") {}

const idOf = ({ channel, mandate_id }: MandateReference): string => `${channel}:${mandate_id}`

const decodeMandate = Schema.decodeUnknownEffect(Mandate)

const make = Effect.gen(function* () {
  const documents = yield* Documents
  const read = Effect.fnUntraced(function* (id: string) {
    const document = yield* documents.get(SCOPE, id)
    const mandate = document && (yield* Effect.orDie(decodeMandate(document.body)))
    return { mandate, version: document?.version ?? 0 }
  })
  const service: Mandates["Service"] = {
    find: (reference) => Effect.map(read(idOf(reference)), ({ mandate }) => mandate),
    change: Effect.fnUntraced(function* (reference, decide) {
      const id = idOf(reference)
      const { mandate, version } = yield* read(id)
      const body = decide(mandate)
      if (body === undefined || body === mandate) return mandate
      yield* documents.put({ scope: SCOPE, id, version, body, due_at: null })
      return body
    }, retryWrite),
  }
  return service
})

/** The mandates, stored through `Documents`. */
export const layer = Layer.effect(Mandates, make)
