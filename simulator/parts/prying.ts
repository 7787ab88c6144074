import { Effect, Exit } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import { listKeys } from "../../core/keys/listKeys.ts"
import { getInstall, listInstalls } from "../../core/installs/showInstalls.ts"
import { getVerification } from "../../core/kyc/verifications/ownVerification.ts"
import { listEntries } from "../../core/ledger/listEntries.ts"
import { captureIntent } from "../../core/payments/captureIntent.ts"
import { cancelIntent } from "../../core/payments/endIntent.ts"
import { getIntent } from "../../core/payments/getIntent.ts"
import { listIntents } from "../../core/payments/listIntents.ts"
import type { PaymentIntent } from "../../core/payments/PaymentIntent.ts"
import { createRefund } from "../../core/refunds/createRefund.ts"
import { getRefund } from "../../core/refunds/getRefund.ts"
import { listRefunds } from "../../core/refunds/listRefunds.ts"
import { getEndpoint, listEndpoints } from "../../core/webhooks/endpoints/showEndpoints.ts"
import { getDelivery, listDeliveries, listEvents } from "../../core/webhooks/deliveries/showLog.ts"
import { listWebhookKeys } from "../../core/webhooks/endpoints/webhookKeys.ts"
import { registerAccessItem } from "../../core/revocations/registerAccessItem.ts"
import { SECOND } from "../../core/shared/Timestamp.ts"
import { kept, owners, ownershipRules } from "../auditor/invariants/ownership.ts"
import { partyRules } from "../auditor/invariants/parties.ts"
import type { Chance } from "../random/Chance.ts"
import type { Part, Scene, Services } from "../world/Stage.ts"
import { type Kind, Store } from "../../core/ports/Store.ts"
import type { Posting } from "../../core/ledger/Posting.ts"

/** The kinds of record that are compared with the store. */
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
  "refund_request",
  "revocation",
  "service",
  "subscription",
  "verification",
  "webhook_key",
])

/** How many rows of the ledger are requested at once. */
const ROWS = 500

/** Reads the books of all accounts, page by page, and shows them to the auditor. */
const readBooks = Effect.fnUntraced(function* ({ auditor }: Scene) {
  const store = yield* Store
  const accounts = new Set([...auditor.model.posted.values()].map(({ account_id }) => account_id))
  for (const account of accounts) {
    const rows: Array<Posting> = []
    for (;;) {
      const after = rows.at(-1)?.id
      const query = { account_id: account, limit: ROWS }
      const page = yield* store.listPostings({
        ...query,
        ...(after !== undefined && { starting_after: after }),
      })
      rows.push(...page)
      if (page.length < ROWS) break
    }
    auditor.see("entries", account, { account, rows })
  }
})

/** Reads every committed record from the store, and shows them to the auditor. */
const compareKept = Effect.fnUntraced(function* (scene: Scene) {
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

type Look = Effect.Effect<unknown, unknown, Services>

/** The reads by id, by the ids' prefixes. */
const BY_ID: { readonly [prefix: string]: (caller: Caller, id: string) => Look } = {
  pi: getIntent,
  ref: getRefund,
  kyc: getVerification,
  ins: getInstall,
  wd: getDelivery,
  we: getEndpoint,
}

const PAGE = { limit: 50 }

const LISTS: { readonly [what: string]: (caller: Caller) => Look } = {
  payments: (caller) => listIntents(caller, PAGE),
  refunds: (caller) => listRefunds(caller, PAGE),
  installs: (caller) => listInstalls(caller, PAGE),
  events: (caller) => listEvents(caller, PAGE),
  deliveries: (caller) => listDeliveries(caller, PAGE),
  endpoints: (caller) => listEndpoints(caller, PAGE),
  entries: (caller) => listEntries(caller, PAGE),
  "webhook keys": (caller) => listWebhookKeys(caller, PAGE),
  "api keys": (caller) => listKeys(caller, PAGE),
}

/** Shows the auditor an answer to an account. */
const look = Effect.fnUntraced(function* ({ auditor }: Scene, { account }: Caller, asked: Look) {
  const exit = yield* Effect.exit(asked)
  if (Exit.isFailure(exit)) return
  auditor.see("disclosed", account.id, { account: account.id, text: JSON.stringify(exit.value) })
})

/** Lists what an account has, and asks for records of others whose ids it could know. */
const pry = Effect.fnUntraced(function* (scene: Scene, caller: Caller) {
  const known = scene.auditor.model.know(owners)
  for (const list of Object.values(LISTS)) yield* look(scene, caller, list(caller))
  for (const [prefix, get] of Object.entries(BY_ID)) {
    for (const id of known.of(caller.account.id, prefix, 2)) {
      yield* look(scene, caller, get(caller, id))
    }
  }
})

/** Requests that only the payee may send, by the status in which they could have an effect. */
const actsOn = ({ id, status }: PaymentIntent, n: number): { readonly [route: string]: Deed } => {
  const payment = `POST /v1/payment-intents/${id}`
  if (status === "captured" || status === "succeeded" || status === "completed") {
    const item = { payment_intent: id, type: "api_key", id: `taken ${n}`, scopes: ["all"] } as const
    return {
      "POST /v1/refunds": (caller) => createRefund(caller, { payment_intent: id }),
      "POST /v1/access-items": (caller) => registerAccessItem(caller, item),
    }
  }
  return {
    [`${payment}/cancel`]: (caller) => cancelIntent(caller, id),
    ...(status === "authorized" && {
      [`${payment}/capture`]: (caller: Caller) => captureIntent(caller, id, {}),
    }),
  }
}

type Deed = (caller: Caller) => Look

const OVER: ReadonlySet<string> = new Set(["failed", "expired", "cancelled", "voided"])

/** How many of the newest payments are tried. */
const NEWEST = 12

/** Sends what only a payee may send, as the payment's creator or as somebody else. */
const meddle = Effect.fnUntraced(function* (scene: Scene, chance: Chance, n: number) {
  const { auditor, client, people } = scene
  const open = [...auditor.model.intents.values()]
    .map(({ record }) => record)
    .filter(({ status }) => !OVER.has(status))
    .slice(-NEWEST)
  const [first, ...others] = open
  if (first === undefined) return
  const payment = chance.pick([first, ...others])
  const creator = people.buyers.find(({ account }) => account.id === payment.account_id)
  const who = chance.pick([creator ?? people.stranger, people.stranger])
  const [act, ...acts] = Object.entries(actsOn(payment, n))
  if (act === undefined || who.account.id === payment.payee_account_id) return
  const [route, deed] = chance.pick([act, ...acts])
  yield* client.call(who, route, undefined, deed(who))
})

/** How long the next try waits, in milliseconds on average: longer each time. */
const APART = { first: 15 * SECOND, growth: 1.05 } as const

/** Tries again and again, mostly while payments are made: some worlds last for weeks. */
const meddling = Effect.fnUntraced(function* (scene: Scene) {
  const chance = scene.stage.chance("meddling")
  for (let n = 1, apart: number = APART.first; ; n += 1, apart *= APART.growth) {
    yield* Effect.sleep(chance.wait(apart))
    yield* meddle(scene, chance, n)
  }
})

/**
 * Accounts that act on payments of others, and ask for records of others at the end; and a
 * comparison of the store.
 */
export const prying: Part = {
  name: "prying",
  heavy: 0.2,
  rules: { ...ownershipRules, ...partyRules },
  knowledge: [owners, kept],
  actors: (scene) => [meddling(scene)],
  inspect: (scene) => {
    const { buyers, sellers, stranger } = scene.people
    const chance = scene.stage.chance("prying")
    const pryers = [
      stranger,
      chance.pick([stranger, ...buyers]),
      chance.pick([stranger, ...sellers]),
    ]
    const all = Effect.forEach(pryers, (caller) => pry(scene, caller), { discard: true })
    return Effect.andThen(all, compareKept(scene))
  },
}

const SCOPES = [null, "read:summary", "all"] as const

/** Asks as a seller's gate about everything that it knows, scope by scope. */
const visit = Effect.fnUntraced(function* ({ auditor, client }: Scene, seller: Caller) {
  for (const { account_id, item_id: id, type } of auditor.model.access.items) {
    if (account_id !== seller.account.id) continue
    for (const scope of SCOPES) yield* client.ask(seller, { type, id, scope })
  }
})

/** Gates that ask at the end what is left of every access. */
export const gates: Part = {
  name: "gates",
  inspect: (scene) =>
    Effect.forEach(scene.people.sellers, (seller) => visit(scene, seller), { discard: true }),
}
