import { Clock, Context, Effect, Layer, Schema } from "effect"
import { type Document, Documents } from "../../../core/ports/Documents.ts"
import { Ids } from "../../../core/ports/Ids.ts"
import { Installation } from "../../../core/ports/Installation.ts"
import { Store, type StoreUnavailable } from "../../../core/ports/Store.ts"
import type { PaymentIntent } from "../../../core/payments/PaymentIntent.ts"
import { isShared } from "../../../core/payments/Sides.ts"
import type { Timestamp } from "../../../core/shared/Timestamp.ts"
import { retryWrite } from "../../shared/retryWrite.ts"
import { Charge, dueAt } from "./Charge.ts"

const SCOPE = "sandbox_charge"

const PAGE = 500

const decodeCharge = Schema.decodeUnknownEffect(Charge)

const read = (document: Document) => Effect.orDie(decodeCharge(document.body))

const entryOf = (document: Document) =>
  Effect.map(read(document), (charge): Entry => ({ charge, version: document.version }))

type Stored<A> = Effect.Effect<A, StoreUnavailable>

/** A charge and the version under which it is stored: 0 before its first change. */
export interface Entry {
  readonly charge: Charge
  readonly version: number
}

/** What a caller has already read: the payment, or the charge itself. */
type Known = { readonly payment: PaymentIntent } | Entry

/**
 * The sandbox channels' own books. A charge is entered with its first change. Until then it is
 * open, and only the intent exists.
 */
export class Books extends Context.Service<
  Books,
  {
    readonly find: (channel: string, outTradeNo: string) => Stored<Charge | undefined>
    /**
     * Stores the result of `decide`. Calls it again if another process wrote in between. The same
     * charge is not stored again. Returns undefined if no such payment exists. A caller that has
     * read the payment or the charge passes it.
     */
    readonly change: (
      channel: string,
      outTradeNo: string,
      decide: (charge: Charge) => Charge,
      known?: Known,
    ) => Stored<Entry | undefined>
    /** Returns a page of a channel's charges. `next` is the next page's cursor, null at the end. */
    readonly page: (
      channel: string,
      cursor: string | null,
    ) => Stored<{ readonly charges: ReadonlyArray<Charge>; readonly next: string | null }>
    readonly due: (now: Timestamp, limit: number) => Stored<ReadonlyArray<Entry>>
    readonly nextDueAt: Stored<Timestamp | undefined>
    /**
     * Deletes the charges of the payments that are erased with an account. They must still be
     * stored: the channels keep no list of an account's charges.
     */
    readonly erase: (accountId: string) => Stored<void>
  }
>()("payport/adapters/channels/sandbox/Books") {}

const idOf = (channel: string, outTradeNo: string): string => `${channel}:${outTradeNo}`

const opened = (channel: string, intent: PaymentIntent, tradeNo: string): Charge => ({
  channel,
  out_trade_no: intent.id,
  account_id: intent.account_id,
  flow: intent.flow,
  trade_no: tradeNo,
  amount: intent.amount,
  refunded: 0,
  state: "open",
  payer_id: `${channel}_payer`,
  wallet_id: `${channel}_wallet`,
  settle_at: null,
  effects: {},
  outbox: [],
})

const make = Effect.gen(function* () {
  const documents = yield* Documents
  const store = yield* Store
  const ids = yield* Ids
  const { catalog } = yield* Installation

  const entry = Effect.fnUntraced(function* (
    channel: string,
    outTradeNo: string,
    payment: PaymentIntent | undefined,
  ): Effect.fn.Return<Entry | undefined, StoreUnavailable> {
    const document = yield* documents.get(SCOPE, idOf(channel, outTradeNo))
    if (document !== undefined) return yield* entryOf(document)
    const intent = payment ?? (yield* store.find("payment_intent", outTradeNo))
    if (intent === undefined) return undefined
    return { charge: opened(channel, intent, `${channel}-${ids.uuid()}`), version: 0 }
  })

  const change: Books["Service"]["change"] = (channel, outTradeNo, decide, known) => {
    const payment = known !== undefined && "payment" in known ? known.payment : undefined
    let first = known !== undefined && "charge" in known ? known : undefined
    const attempt = Effect.gen(function* () {
      const before = first ?? (yield* entry(channel, outTradeNo, payment))
      first = undefined
      if (before === undefined) return undefined
      const { charge, version } = before
      const after = decide(charge)
      if (after === charge) return before
      yield* documents.put({
        scope: SCOPE,
        id: idOf(channel, outTradeNo),
        version,
        body: after,
        due_at: dueAt(after),
      })
      return { charge: after, version: version + 1 }
    })
    return retryWrite(attempt)
  }

  const service: Books["Service"] = {
    find: (channel, outTradeNo) =>
      Effect.flatMap(documents.get(SCOPE, idOf(channel, outTradeNo)), (document) =>
        document === undefined ? Effect.undefined : read(document),
      ),
    change,
    page: Effect.fnUntraced(function* (channel, cursor) {
      const prefix = idOf(channel, "")
      const after = cursor ?? ""
      const found = yield* documents.page(SCOPE, { prefix, after, limit: PAGE })
      const charges = yield* Effect.forEach(found, read)
      return { charges, next: found.length < PAGE ? null : (found.at(-1)?.id ?? null) }
    }),
    due: (now, limit) =>
      Effect.flatMap(documents.due(SCOPE, now, limit), (found) => Effect.forEach(found, entryOf)),
    nextDueAt: documents.nextDueAt(SCOPE),
    erase: Effect.fnUntraced(function* (viewer) {
      let last: { readonly starting_after?: string } = {}
      while (true) {
        const now = yield* Clock.currentTimeMillis
        const page = yield* store.listIntents({ viewer, now, limit: PAGE, ...last })
        const charges = page
          .filter((payment) => !isShared(payment, viewer))
          .flatMap(({ id }) => catalog.map((channel) => idOf(channel.id, id)))
        if (charges.length > 0) yield* documents.remove(SCOPE, charges)
        const end = page.at(-1)
        if (end === undefined || page.length < PAGE) return
        last = { starting_after: end.id }
      }
    }),
  }
  return service
})

/** The books, stored through `Documents`. */
export const layer = Layer.effect(Books, make)
