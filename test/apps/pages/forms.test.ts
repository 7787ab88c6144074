import { Result } from "effect"
import { describe, expect, test } from "vitest"
import { ConnectionFailed, PayportError } from "../../../adapters/http/client/PayportError.ts"
import { amountAt, withoutRow, withRow } from "../../../apps/pages/console/forms/Draft.ts"
import { isOpen, issuesOf, placed, readBy } from "../../../apps/pages/console/forms/issues.ts"
import { readIdentity } from "../../../apps/pages/console/identity/identityDraft.ts"
import { installDraft, readInstall } from "../../../apps/pages/console/installs/installDraft.ts"
import {
  draftOf,
  NEW_SERVICE,
  readService,
} from "../../../apps/pages/console/services/serviceDraft.ts"
import { InstallInput } from "../../../core/installs/InstallInput.ts"
import { VerifyInput } from "../../../core/kyc/verifications/Submission.ts"
import { ManifestInput } from "../../../core/registry/ManifestInput.ts"

const readManifest = readBy(ManifestInput)
const CHANNELS = ["wallet_a", "wallet_b"]

const WHOLE = {
  id: "01997d3e-8a00-7000-8000-000000000010",
  name: "Weather reports",
  description: "Forecasts.",
  status: "active",
  payment_methods: { one_time: true, cumulative: true, subscription: true },
  pricing: {
    one_time: [
      { amount: 699, currency: "USD", label: "7 days" },
      { amount: 500, currency: "EUR", label: "A day" },
    ],
    open_amount: { currency: "USD", minimum: 100, maximum: 5_000 },
    cumulative: { unit: "request", rate: "0.25", billing_cycle: "weekly", currency: "USD" },
    subscription: [
      {
        plan_id: "pro",
        name: "Pro",
        amount: 1_999,
        currency: "USD",
        interval: "monthly",
        features: ["Hourly", "Everywhere"],
      },
    ],
  },
  accepted_channels: ["wallet_b", "wallet_a"],
  qr_mode: "static",
  settlement_currency: "USD",
  endpoint: "https://weather.example/hook",
  tags: ["weather", "rain"],
  default_channel: "wallet_a",
  fallback_channel: "wallet_b",
  revocation_policy: {
    auto_revoke_on_refund: true,
    webhook_on_revoke: false,
    strict: true,
    revoke_url: "https://weather.example/revoke",
    default_targets: [{ type: "access_token", scope: "all" }, { type: "session" }],
  },
  created_at: "2026-01-31T08:00:00.000Z",
  updated_at: "2026-01-31T08:00:00.000Z",
} as const

describe("a service's form", () => {
  test("reads back what it was filled with", () => {
    const { body, issues } = readService(draftOf(WHOLE), WHOLE.accepted_channels)
    expect(issues).toEqual([])
    const { created_at: _c, id: _i, status: _s, updated_at: _u, ...manifest } = WHOLE
    expect(body).toEqual(manifest)
    expect(Result.isSuccess(readManifest(body))).toBe(true)
  })

  test("says of each empty field that it is needed, by the Schema of its route", () => {
    const { body, issues } = readService({ ...NEW_SERVICE, qr_mode: "" }, CHANNELS)
    const read = readManifest(body)
    const found = Result.isFailure(read) ? read.failure : []
    const names = new Set(
      "name description accepted_channels qr_mode endpoint pricing.one_time".split(" "),
    )
    for (const field of ["label", "amount"]) names.add(`pricing.one_time.0.${field}`)
    const { above, beside } = placed([...issues, ...found], names)
    expect(above).toEqual([])
    expect(new Set(beside.keys())).toEqual(
      new Set([...names].filter((name) => name !== "pricing.one_time")),
    )
    expect(beside.get("name")).toBe("Fill this in.")
    expect(beside.get("qr_mode")).toBe("Choose one of these.")
  })

  test("asks for a way to be paid", () => {
    const { issues } = readService({ ...NEW_SERVICE, "payment_methods.one_time": "" }, CHANNELS)
    expect(issues).toMatchObject([{ field: "payment_methods" }])
  })
})

describe("an install's form", () => {
  test("reads back what it was filled with, and null of what is left empty", () => {
    const install = {
      agent_id: "agent",
      auto_pay_limit: { currency: "USD", value: 500 },
      spend_cap: { amount: { currency: "USD", value: 10_000 }, period: "weekly" },
      budget_alerts: [50, 80],
      channel_preference: "wallet_a",
      channels: ["wallet_b"],
    } as const
    const kept = { id: "ins_1", service_id: "x", mandate: null, created_at: "", updated_at: "" }
    const draft = installDraft("own", WHOLE, { ...install, ...kept })
    const { body } = readInstall(draft, CHANNELS)
    expect(body).toEqual(install)
    expect(Result.isSuccess(readBy(InstallInput)(body))).toBe(true)
    expect(readInstall(installDraft("own", WHOLE, undefined), CHANNELS).body).toEqual({
      agent_id: "own",
      auto_pay_limit: null,
      spend_cap: null,
      budget_alerts: [],
      channel_preference: null,
      channels: [],
    })
  })
})

describe("an identity's form", () => {
  test("asks for what its level needs, and spares the document where a wallet vouches", () => {
    const fields = (draft: object) =>
      readIdentity({ agent_id: "agent", ...draft }).issues.map(({ field }) => field)
    expect(fields({ level: "basic" })).toEqual(["data.email", "data.phone"])
    const enhanced = ["data.email", "data.phone", "data.country", "data.full_name"]
    expect(fields({ level: "enhanced" })).toEqual([
      ...enhanced,
      "data.document_type",
      "data.document_number",
    ])
    const vouched = { level: "enhanced", "channel_credentials.wallet_a_user_id": "u" }
    expect(fields(vouched)).toEqual(enhanced)
  })

  test("holds a company's owner to the Schema", () => {
    const draft = {
      agent_id: "agent",
      level: "business",
      "data.country": "de",
      "data.ubo_declaration.full_name": "Ada",
      "data.ubo_declaration.ownership_pct": "140",
    }
    const { body } = readIdentity(draft)
    expect(body).toMatchObject({ data: { country: "DE", ubo_declaration: { full_name: "Ada" } } })
    const read = readBy(VerifyInput)(body)
    expect(Result.isFailure(read) && read.failure).toMatchObject([
      { field: "data.ubo_declaration.ownership_pct" },
    ])
  })
})

describe("a list of rows", () => {
  test("closes up when one goes", () => {
    const draft = withRow(withRow({ x: "1" }, "rows", { a: "first" }), "rows", { a: "second" })
    expect(draft).toEqual({ x: "1", rows: "2", "rows.0.a": "first", "rows.1.a": "second" })
    expect(withoutRow(draft, "rows", 0)).toEqual({ x: "1", rows: "1", "rows.0.a": "second" })
    expect(withoutRow(draft, "rows", 1)).toEqual({ x: "1", rows: "1", "rows.0.a": "first" })
  })
})

test.each([
  ["6.99", "USD", 699, undefined],
  ["6.999", "USD", 0, "must be an amount in USD, such as 6.99"],
  ["six", "USD", 0, "must be an amount in USD, such as 6.99"],
  ["", "USD", 0, "is required"],
])("of %o is read in %s %o minor units", (text, currency, value, reason) => {
  const [read, issues] = amountAt({ amount: text }, "amount", currency)
  expect([read, issues[0]?.reason]).toEqual([value, reason])
})

test("what the service refuses stands beside its field, or above where the form has none", () => {
  const refused = (facts: object) =>
    issuesOf(
      new PayportError({
        status: 422,
        code: "INVALID_PRICING",
        category: "x",
        message: "No.",
        ...facts,
      }),
    )
  const names = new Set(["name", "pricing.one_time"])
  const constraint = { constraint: "must be an ISO 4217 code" }
  const issues = [
    ...refused({ field: "pricing.one_time.1.currency", details: constraint }),
    ...refused({ field: "elsewhere" }),
    ...refused({ details: [{ field: "name", reason: "is taken" }] }),
  ]
  const { above, beside } = placed(issues, names)
  expect([...beside]).toEqual([
    ["pricing.one_time", "Must be an ISO 4217 code."],
    ["name", "Is taken."],
  ])
  expect(above).toEqual(["elsewhere: No."])
  expect(refused({})).toEqual([])
  expect(issuesOf(new Error("broken"))).toEqual([])
})

test.each([
  ["a refusal", 422, "INVALID_AMOUNT", false, false],
  ["a refusal after a lost try", 422, "INVALID_AMOUNT", true, true],
  ["a key in use", 409, "IDEMPOTENCY_KEY_IN_PROGRESS", false, true],
  ["too many requests", 429, "RATE_LIMIT_EXCEEDED", false, false],
  ["too many requests after a lost try", 429, "RATE_LIMIT_EXCEEDED", true, true],
  ["a broken service", 500, "INTERNAL_ERROR", false, true],
] as const)("after %s it is told whether the outcome is open", (_, status, code, isLost, open) => {
  const facts = { status, code, isLost, category: "x", message: "No.", field: "amount" }
  const error = new PayportError(facts)
  expect(isOpen(error)).toBe(open)
  expect(issuesOf(error)).toHaveLength(status < 500 ? 1 : 0)
  expect(isOpen(new ConnectionFailed("TIMED_OUT", "No answer.", undefined))).toBe(true)
})
