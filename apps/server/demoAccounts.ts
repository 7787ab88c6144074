import { Clock, Effect, Redacted } from "effect"
import type { Account } from "../../core/accounts/Account.ts"
import { createAccount } from "../../core/accounts/createAccount.ts"
import { makeKey } from "../../core/accounts/makeKey.ts"
import { storeKey } from "../../core/accounts/storeKey.ts"
import { demoAgent } from "../../core/kyc/agents/DemoAgent.ts"
import { Store } from "../../core/ports/Store.ts"
import { Vault } from "../../core/ports/Vault.ts"
import type { DemoKeys } from "./secrets.ts"
import { StartFailure } from "./StartFailure.ts"

interface Demo {
  readonly name: string
  readonly kind: Account["kind"]
  readonly agent_id: string
  readonly variable: string
}

const seller: Demo = {
  name: "Demo seller",
  kind: "seller",
  agent_id: "demo-seller",
  variable: "PAYPORT_DEMO_SELLER_KEY",
}

const buyer: Demo = {
  name: "Demo buyer",
  kind: "buyer",
  agent_id: "demo-buyer",
  variable: "PAYPORT_DEMO_BUYER_KEY",
}

const taken = ({ variable }: Demo) =>
  new StartFailure({
    message: `${variable} has to be a key that no other account in this database has.`,
  })

/** Verifies the demo seller as a business, so that anybody can pay it. */
const ensureBusiness = Effect.fnUntraced(function* () {
  const store = yield* Store
  const account = yield* store.findBy("account", { agent_id: seller.agent_id })
  if (account === undefined) return
  const record = demoAgent(account, (yield* Vault).sha256, yield* Clock.currentTimeMillis)
  if ((yield* store.find("agent", record.id)) !== undefined) return
  const insertion = store.commit({ writes: [{ op: "insert", kind: "agent", record }] })
  // If another process has inserted the record meanwhile, it is the same record.
  yield* Effect.catchTag(insertion, "Conflict", () => Effect.void)
})

/** Creates the account and its key unless they exist. */
const ensure = Effect.fnUntraced(function* (demo: Demo, key: string) {
  const store = yield* Store
  const hash = (yield* Vault).sha256(key)
  const holder = yield* store.findCredential(hash)
  if (holder !== undefined) {
    return holder.account.agent_id === demo.agent_id ? undefined : yield* taken(demo)
  }
  const account = yield* store.findBy("account", { agent_id: demo.agent_id })
  if (account === undefined) {
    const { agent_id, kind, name } = demo
    yield* createAccount({ name, kind, agent_id, plan: "enterprise" }, key)
    return undefined
  }
  const { record } = yield* makeKey(account, { expires_at: null, text: key })
  return yield* storeKey(account, { writes: [{ op: "insert", kind: "api_key", record }] })
})

const ensureWithRetry = (demo: Demo, key: Redacted.Redacted) =>
  Effect.retry(ensure(demo, Redacted.value(key)), {
    // If another process that started at the same time was first, the next try finds its account.
    times: 3,
    while: (error) => error._tag === "Conflict" || error._tag === "Failure",
  })

/** Creates the demo seller and the demo buyer of a sandbox, once. */
export const openDemoAccounts = Effect.fnUntraced(function* (keys: DemoKeys) {
  yield* ensureWithRetry(seller, keys.seller)
  yield* ensureBusiness()
  yield* ensureWithRetry(buyer, keys.buyer)
})
