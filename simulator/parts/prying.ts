import { Effect, Exit } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import { listKeys } from "../../core/accounts/listKeys.ts"
import { listInstalls, getInstall } from "../../core/installs/showInstalls.ts"
import { getVerification } from "../../core/kyc/verifications/ownVerification.ts"
import { listEntries } from "../../core/ledger/listEntries.ts"
import { getIntent } from "../../core/payments/getIntent.ts"
import { listIntents } from "../../core/payments/listIntents.ts"
import { getRefund } from "../../core/refunds/getRefund.ts"
import { listRefunds } from "../../core/refunds/listRefunds.ts"
import { getEndpoint, listEndpoints } from "../../core/webhooks/endpoints/showEndpoints.ts"
import { getDelivery, listDeliveries, listEvents } from "../../core/webhooks/deliveries/showLog.ts"
import { listWebhookKeys } from "../../core/webhooks/endpoints/webhookKeys.ts"
import { ownershipInvariants } from "../auditor/invariants/ownership.ts"
import { kept } from "../auditor/Kept.ts"
import { owners } from "../auditor/Owners.ts"
import type { Part } from "../world/Part.ts"
import type { Scene } from "../world/Scene.ts"
import type { Services } from "../world/Services.ts"
import { compareKept } from "./compareKept.ts"

type Look = Effect.Effect<unknown, unknown, Services>

/** What is read by an id, by the ids' prefixes. */
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

/** Shows what an account is told in answer to a question. */
const look = Effect.fnUntraced(function* ({ auditor }: Scene, { account }: Caller, asked: Look) {
  const exit = yield* Effect.exit(asked)
  if (Exit.isFailure(exit)) return
  auditor.see("disclosed", account.id, { account: account.id, text: JSON.stringify(exit.value) })
})

/** An account lists what it has, and asks for what others have, as far as it could know the ids. */
const pry = Effect.fnUntraced(function* (scene: Scene, caller: Caller) {
  const known = scene.auditor.model.know(owners)
  for (const list of Object.values(LISTS)) yield* look(scene, caller, list(caller))
  for (const [prefix, get] of Object.entries(BY_ID)) {
    for (const id of known.of(caller.account.id, prefix, 2)) {
      yield* look(scene, caller, get(caller, id))
    }
  }
})

/** Accounts that look for what is others', at the end; and what the store has kept. */
export const prying: Part = {
  name: "prying",
  heavy: 0.2,
  invariants: ownershipInvariants,
  knowledge: [owners, kept],
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
