import { expect, test } from "vitest"
import { changeOf, flawOfHook } from "../../../adapters/shared/BeforeCommit.ts"
import { insert } from "../../../apps/payport/testing/store/probe.ts"
import {
  aService,
  anApiKey,
  anInstall,
  anIntent,
  invoiceIn,
  refundIn,
  subscriptionIn,
} from "../../support/records.ts"

const run = () => undefined

test.each<[string, unknown, RegExp | undefined]>([
  ["one for payments", { kinds: ["payment_intent"], run }, undefined],
  ["one with a time", { kinds: ["refund"], run, within: 3_000 }, undefined],
  ["none", null, /an object/],
  ["one for nothing", { kinds: [], run }, /kinds has to list/],
  ["one for keys", { kinds: ["api_key"], run }, /kinds has to list some of: payment_intent/],
  ["one that does nothing", { kinds: ["refund"] }, /run has to be/],
  ["one that may hang", { kinds: ["refund"], run, within: Infinity }, /within has to be 1 to 3000/],
  ["one without time", { kinds: ["refund"], run, within: 0 }, /within has to be/],
])("a hook that is %s", (_, given, flaw) => {
  if (flaw === undefined) expect(flawOfHook(given)).toBeUndefined()
  else expect(flawOfHook(given)).toMatch(flaw)
})

test("a hook is told of its kinds as the interface shows them, and of no secret", () => {
  const writes = [
    insert("payment_intent", anIntent()),
    insert("refund", refundIn("pending")),
    insert("subscription", subscriptionIn("active")),
    insert("invoice", invoiceIn("open")),
    insert("install", anInstall()),
    insert("service", aService()),
    insert("api_key", anApiKey()),
  ]
  const kinds = [
    "payment_intent",
    "refund",
    "subscription",
    "invoice",
    "install",
    "service",
  ] as const
  const { records } = changeOf({ kinds }, { writes })
  expect(records.map(({ kind }) => kind)).toEqual(kinds)
  for (const { id, record } of records) {
    expect(record).toMatchObject({ id, created_at: expect.stringMatching(/^2026-/) })
    expect(JSON.stringify(record)).not.toMatch(/secret|hash|sealed|"version"/)
  }
})
