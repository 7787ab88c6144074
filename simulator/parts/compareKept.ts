import { Effect } from "effect"
import { type Kind, Store, type StoreUnavailable } from "../../core/ports/Store.ts"
import type { Posting } from "../../core/ledger/Posting.ts"
import { kept } from "../auditor/Kept.ts"
import type { Scene } from "../world/Scene.ts"

type Find = (id: string) => Effect.Effect<unknown, StoreUnavailable>

/** The questions by which the store is asked for a record of each kind. */
const finders = (store: Store["Service"]): { readonly [K in Kind]?: Find } => ({
  account: store.findAccount,
  agent: store.findAgent,
  api_key: store.findApiKey,
  appeal: store.findAppeal,
  channel_request: store.findChannelRequest,
  delivery: store.findDelivery,
  endpoint: store.findEndpoint,
  event: store.findEvent,
  install: store.findInstall,
  invoice: store.findInvoice,
  mandate: store.findMandate,
  payment_intent: store.findIntent,
  quote: store.findQuote,
  refund: store.findRefund,
  revocation: store.findRevocation,
  service: store.findService,
  subscription: store.findSubscription,
  verification: store.findVerification,
  webhook_key: store.findWebhookKey,
})

/** So many rows of the ledger are asked for at once. */
const PAGE = 500

/** Reads the books of all accounts, page by page, and shows them. */
const readBooks = Effect.fnUntraced(function* ({ auditor }: Scene) {
  const store = yield* Store
  const accounts = new Set([...auditor.model.posted.values()].map(({ account_id }) => account_id))
  for (const account of accounts) {
    const rows: Array<Posting> = []
    for (;;) {
      const after = rows.at(-1)?.id
      const query = { account_id: account, limit: PAGE }
      const page = yield* store.listPostings({
        ...query,
        ...(after !== undefined && { starting_after: after }),
      })
      rows.push(...page)
      if (page.length < PAGE) break
    }
    auditor.see("entries", account, { account, rows })
  }
})

/** Asks the store for everything that was committed, and shows what it says. */
export const compareKept = Effect.fnUntraced(function* (scene: Scene) {
  const { auditor } = scene
  yield* readBooks(scene)
  const find = finders(yield* Store)
  for (const [kind, records] of auditor.model.know(kept)) {
    const ask = find[kind]
    if (ask === undefined) continue
    const compared: Array<{ readonly id: string; readonly was: object | null; stored: unknown }> =
      []
    for (const [id, was] of records) compared.push({ id, was, stored: yield* ask(id) })
    auditor.see("kept", kind, { kind, compared })
  }
}, Effect.orDie)
