import { Effect } from "effect"
import { type Kind, Store } from "../../core/ports/Store.ts"
import type { Posting } from "../../core/ledger/Posting.ts"
import { kept } from "../auditor/Kept.ts"
import type { Scene } from "../world/Scene.ts"

/** The kinds of record that the store is asked for. */
const COMPARED: ReadonlySet<Kind> = new Set([
  "account",
  "agent",
  "api_key",
  "appeal",
  "channel_request",
  "delivery",
  "endpoint",
  "event",
  "install",
  "invoice",
  "mandate",
  "payment_intent",
  "quote",
  "refund",
  "revocation",
  "service",
  "subscription",
  "verification",
  "webhook_key",
])

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
  const store = yield* Store
  for (const [kind, records] of auditor.model.know(kept)) {
    if (!COMPARED.has(kind)) continue
    const compared: Array<{ readonly id: string; readonly was: object | null; stored: unknown }> =
      []
    for (const [id, was] of records) compared.push({ id, was, stored: yield* store.find(kind, id) })
    auditor.see("kept", kind, { kind, compared })
  }
}, Effect.orDie)
