import { expect, test } from "vitest"
import type { Install } from "../../core/installs/Install.ts"
import type { PaymentIntent } from "../../core/payments/PaymentIntent.ts"
import type { Write } from "../../core/ports/Store.ts"
import { installRules, installs } from "../../simulator/auditor/invariants/installs.ts"
import { Model } from "../../simulator/auditor/Model.ts"
import type { Observations } from "../../simulator/auditor/Observation.ts"

const AT = Date.UTC(2026, 0, 31)

const names = { account_id: "acct_one", agent_id: "one", service_id: "service" }

const cap = { amount: { currency: "USD", value: 1_000 }, period: "daily" } as const

const install = { ...names, spend_cap: cap, spend_cap_in_force: cap } as Partial<Install>

/** A payment of the installed agent in the cap's currency. */
const payment = (id: string, value: number, more: object = {}) =>
  ({
    id,
    status: "qr_generated",
    amount: { currency: "USD", value },
    payer_account_id: names.account_id,
    payer: { agent_id: names.agent_id },
    service_id: names.service_id,
    invoice: null,
    created_at: AT,
    ...more,
  }) as unknown as PaymentIntent

test.each([
  ["a part of which is captured counts with that part", 400, undefined],
  [
    "that is captured whole counts whole",
    undefined,
    "brings its agent to 1500 USD of at most 1000",
  ],
])("under a cap, a payment %s", (_, capture_value, finding) => {
  const model = new Model([installs])
  const known = model.know(installs)
  known.learn({ kind: "install", op: "insert", record: install } as Write, AT - 1)
  const seen = (after: PaymentIntent) =>
    installRules[66]?.intent?.(
      { after, at: AT, before: undefined } as Observations["intent"],
      model,
    )
  const first = payment("pi_1", 900)
  expect(seen(first)).toBeUndefined()
  const taken = { status: "succeeded", captured_at: AT, ...(capture_value && { capture_value }) }
  const record = payment("pi_1", 900, taken)
  model.intents.set("pi_1", { record, history: [], told: new Set() })
  expect(seen(payment("pi_2", 600))).toBe(finding)
})
