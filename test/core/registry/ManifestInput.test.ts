import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { refusalOf } from "../../../adapters/webhooks/receiverAddress.ts"
import { currencies } from "../../../adapters/fx/Currencies.ts"
import { defaultCatalog } from "../../../core/channels/Catalog.ts"
import { decode } from "../../../core/shared/Decode.ts"
import { checkManifest } from "../../../core/registry/ManifestCheck.ts"
import { ManifestInput, manifestInputRules } from "../../../core/registry/ManifestInput.ts"
import { aManifest } from "../../support/manifests.ts"

const parse = decode(ManifestInput, manifestInputRules)

const judge = (body: unknown, local = false) =>
  Result.flatMap(parse(body), (input) =>
    checkManifest(input, {
      catalog: defaultCatalog,
      currencies,
      refuseReceiver: (url) => refusalOf(url, local),
    }),
  )

const code = (body: unknown, local = false): string =>
  Result.match(judge(body, local), {
    onSuccess: () => "accepted",
    onFailure: ({ code, field }) => `${code} ${field}`,
  })

const plan = {
  plan_id: "basic",
  name: "Basic",
  amount: 900,
  currency: "USD",
  interval: "monthly",
  features: ["Answers"],
}
const { features: _, ...featureless } = plan
const price = { amount: 699, currency: "USD", label: "One answer" }
const cumulative = { unit: "request", rate: 0.5, billing_cycle: "monthly" }

const withMethod = (method: string, pricing: unknown) => ({
  payment_methods: { [method]: true },
  pricing: { [method]: pricing },
})

const REQUIRED = [
  "name",
  "description",
  "payment_methods",
  "pricing",
  "accepted_channels",
  "qr_mode",
  "settlement_currency",
  "endpoint",
] as const

describe("a manifest without a required field", () => {
  it.each(REQUIRED)("%s is missed when absent or null", (field) => {
    const { [field]: _, ...rest } = aManifest()
    assert.strictEqual(code(rest), `MISSING_REQUIRED_FIELD ${field}`)
    assert.strictEqual(code({ ...rest, [field]: null }), `MISSING_REQUIRED_FIELD ${field}`)
  })

  it.each([
    ["name", ""],
    ["name", " \t"],
    ["description", "  "],
    ["accepted_channels", []],
    ["qr_mode", ""],
    ["settlement_currency", ""],
    ["endpoint", " "],
  ])("%s is missed when it is %j", (field, empty) => {
    assert.strictEqual(code(aManifest({ [field]: empty })), `MISSING_REQUIRED_FIELD ${field}`)
  })

  it("names the first one in the specification's order, before any other mistake", () => {
    const body = { ...aManifest({ tags: 5, name: 7 }), endpoint: undefined, qr_mode: undefined }
    assert.strictEqual(code(body), "MISSING_REQUIRED_FIELD qr_mode")
  })

  it.each([null, undefined, 5, "text", []])("%j is no manifest", (body) => {
    assert.match(code(body), /^(MISSING_REQUIRED_FIELD|INVALID_REQUEST) /)
  })
})

describe("a manifest with a wrong field", () => {
  it.each<[string, object, string]>([
    ["a name of 129 characters", { name: "x".repeat(129) }, "INVALID_REQUEST name"],
    ["a name that is a number", { name: 5 }, "INVALID_REQUEST name"],
    ["a name of two lines", { name: "a\nb" }, "INVALID_REQUEST name"],
    ["a name with a control character", { name: "a\u0007b" }, "INVALID_REQUEST name"],
    ["a name that turns the text around", { name: "a\u202eb" }, "INVALID_REQUEST name"],
    [
      "a description of 4097 characters",
      { description: "x".repeat(4097) },
      "INVALID_REQUEST description",
    ],
    [
      "methods that are a list",
      { payment_methods: ["one_time"] },
      "INVALID_REQUEST payment_methods",
    ],
    [
      "a method that is no boolean",
      { payment_methods: { one_time: "yes" } },
      "INVALID_REQUEST payment_methods.one_time",
    ],
    ["no method", { payment_methods: {} }, "INVALID_PRICING payment_methods"],
    ["no true method", { payment_methods: { one_time: false } }, "INVALID_PRICING payment_methods"],
    [
      "an unknown method",
      { payment_methods: { donation: true } },
      "INVALID_PRICING payment_methods",
    ],
    ["pricing that is text", { pricing: "free" }, "INVALID_PRICING pricing"],
    ["no price for an enabled method", { pricing: {} }, "INVALID_PRICING pricing.one_time"],
    ["an empty price list", { pricing: { one_time: [] } }, "INVALID_PRICING pricing.one_time"],
    [
      "a price of a disabled method",
      { pricing: { one_time: [price], cumulative } },
      "INVALID_PRICING pricing.cumulative",
    ],
    [
      "an empty list for a disabled method",
      { pricing: { one_time: [price], subscription: [] } },
      "INVALID_PRICING pricing.subscription",
    ],
    [
      "an amount of nothing",
      withMethod("one_time", [{ ...price, amount: 0 }]),
      "INVALID_PRICING pricing.one_time.0.amount",
    ],
    [
      "a broken amount",
      withMethod("one_time", [price, { ...price, amount: 1.5 }]),
      "INVALID_PRICING pricing.one_time.1.amount",
    ],
    [
      "an amount over the limit",
      withMethod("one_time", [{ ...price, amount: 1e12 + 1 }]),
      "INVALID_PRICING pricing.one_time.0.amount",
    ],
    [
      "an amount as text",
      withMethod("one_time", [{ ...price, amount: "699" }]),
      "INVALID_PRICING pricing.one_time.0.amount",
    ],
    [
      "a price without a label",
      withMethod("one_time", [{ amount: 1, currency: "USD" }]),
      "INVALID_PRICING pricing.one_time.0.label",
    ],
    [
      "a price in no currency",
      withMethod("one_time", [{ ...price, currency: "XXX" }]),
      "INVALID_PRICING pricing.one_time.0.currency",
    ],
    [
      "a price in lower case",
      withMethod("one_time", [{ ...price, currency: "usd" }]),
      "INVALID_PRICING pricing.one_time.0.currency",
    ],
    [
      "a negative rate",
      withMethod("cumulative", { ...cumulative, rate: -1 }),
      "INVALID_PRICING pricing.cumulative.rate",
    ],
    [
      "a rate of seven decimals",
      withMethod("cumulative", { ...cumulative, rate: "0.1234567" }),
      "INVALID_PRICING pricing.cumulative.rate",
    ],
    [
      "a rate so small that it has an exponent",
      withMethod("cumulative", { ...cumulative, rate: 1e-7 }),
      "INVALID_PRICING pricing.cumulative.rate",
    ],
    [
      "a rate with an exponent",
      withMethod("cumulative", { ...cumulative, rate: "1e3" }),
      "INVALID_PRICING pricing.cumulative.rate",
    ],
    [
      "a huge rate",
      withMethod("cumulative", { ...cumulative, rate: 1e300 }),
      "INVALID_PRICING pricing.cumulative.rate",
    ],
    [
      "a rate that is a boolean",
      withMethod("cumulative", { ...cumulative, rate: true }),
      "INVALID_PRICING pricing.cumulative.rate",
    ],
    [
      "an empty unit",
      withMethod("cumulative", { ...cumulative, unit: "" }),
      "INVALID_PRICING pricing.cumulative.unit",
    ],
    [
      "an unknown billing cycle",
      withMethod("cumulative", { ...cumulative, billing_cycle: "hourly" }),
      "INVALID_PRICING pricing.cumulative.billing_cycle",
    ],
    [
      "a cumulative price in no currency",
      withMethod("cumulative", { ...cumulative, currency: "ZZZ" }),
      "INVALID_PRICING pricing.cumulative.currency",
    ],
    [
      "an unknown interval",
      withMethod("subscription", [{ ...plan, interval: "fortnightly" }]),
      "INVALID_PRICING pricing.subscription.0.interval",
    ],
    [
      "the same plan twice",
      withMethod("subscription", [plan, plan]),
      "INVALID_PRICING pricing.subscription.1.plan_id",
    ],
    [
      "a plan in no currency",
      withMethod("subscription", [{ ...plan, currency: "QQQ" }]),
      "INVALID_PRICING pricing.subscription.0.currency",
    ],
    [
      "an unknown channel",
      { accepted_channels: ["wallet_a", "wallet_z"] },
      "UNSUPPORTED_CHANNEL accepted_channels",
    ],
    [
      "a channel in upper case",
      { accepted_channels: ["WALLET_A"] },
      "UNSUPPORTED_CHANNEL accepted_channels",
    ],
    [
      "a channel twice",
      { accepted_channels: ["wallet_a", "wallet_a"] },
      "INVALID_REQUEST accepted_channels",
    ],
    [
      "channels that are text",
      { accepted_channels: "wallet_a" },
      "INVALID_REQUEST accepted_channels",
    ],
    ["an unknown QR mode", { qr_mode: "animated" }, "INVALID_REQUEST qr_mode"],
    [
      "settlement in no currency",
      { settlement_currency: "XTS" },
      "INVALID_REQUEST settlement_currency",
    ],
    [
      "settlement in lower case",
      { settlement_currency: "usd" },
      "INVALID_REQUEST settlement_currency",
    ],
    ["an endpoint over HTTP", { endpoint: "http://seller.example/hooks" }, "INVALID_URL endpoint"],
    [
      "a seller's own system inside the network",
      { revocation_policy: { revoke_url: "https://10.0.0.1/revoke" } },
      "INVALID_URL revocation_policy.revoke_url",
    ],
    [
      "a default target with a scope of another type",
      {
        revocation_policy: { default_targets: [{ type: "license_key", scope: "read:reports" }] },
      },
      "INVALID_REQUEST revocation_policy.default_targets.0.scope",
    ],
    ["an endpoint that is no URL", { endpoint: "seller.example" }, "INVALID_URL endpoint"],
    ["an endpoint that is a number", { endpoint: 5 }, "INVALID_URL endpoint"],
    [
      "an endpoint of 2049 characters",
      { endpoint: `https://e.example/${"x".repeat(2031)}` },
      "INVALID_URL endpoint",
    ],
    [
      "an endpoint on a private network",
      { endpoint: "https://10.0.0.8/hooks" },
      "INVALID_URL endpoint",
    ],
    [
      "an endpoint on this machine",
      { endpoint: "https://127.0.0.1/hooks" },
      "INVALID_URL endpoint",
    ],
    [
      "an endpoint with a password",
      { endpoint: "https://a:b@seller.example/" },
      "INVALID_URL endpoint",
    ],
    ["tags that are text", { tags: "answers" }, "INVALID_REQUEST tags"],
    ["33 tags", { tags: Array.from({ length: 33 }, (_, i) => `tag ${i}`) }, "INVALID_REQUEST tags"],
    ["a tag of 65 characters", { tags: ["x".repeat(65)] }, "INVALID_REQUEST tags.0"],
    ["an empty tag", { tags: [""] }, "INVALID_REQUEST tags.0"],
    [
      "a default channel that is not accepted",
      { default_channel: "wallet_f" },
      "INVALID_REQUEST default_channel",
    ],
    [
      "a fallback channel that is not accepted",
      { fallback_channel: "wallet_f" },
      "INVALID_REQUEST fallback_channel",
    ],
    [
      "a revocation target of an unknown type",
      { revocation_policy: { default_targets: [{ type: "cookie" }] } },
      "INVALID_REQUEST revocation_policy.default_targets.0.type",
    ],
    [
      "a revocation flag that is text",
      { revocation_policy: { auto_revoke_on_refund: "yes" } },
      "INVALID_REQUEST revocation_policy.auto_revoke_on_refund",
    ],
  ])("is refused for %s", (_, fields, expected) => {
    assert.strictEqual(code(aManifest(fields)), expected)
  })

  it("says which channels there are", () => {
    const result = judge(aManifest({ accepted_channels: ["wallet_z"] }))
    assert.deepStrictEqual(Result.isFailure(result) && result.failure.details, {
      field: "accepted_channels",
      channel: "wallet_z",
      supported_channels: defaultCatalog.map(({ id }) => id),
    })
  })
})

describe("a manifest is accepted", () => {
  it.each<[string, object]>([
    ["as it stands", {}],
    ["with a name of 128 characters outside the BMP", { name: "𝄞".repeat(128) }],
    ["with a description of several lines", { description: "One.\nTwo." }],
    [
      "with a disabled method spelt out",
      { payment_methods: { one_time: true, subscription: false } },
    ],
    ["with a price of the largest amount", withMethod("one_time", [{ ...price, amount: 1e12 }])],
    ["with a free unit", withMethod("cumulative", { ...cumulative, rate: 0 })],
    ["with an exact rate", withMethod("cumulative", { ...cumulative, rate: "0.000001" })],
    ["with a plan without features", withMethod("subscription", [featureless])],
    ["with every channel", { accepted_channels: defaultCatalog.map(({ id }) => id) }],
    [
      "with a default among the accepted",
      { default_channel: "wallet_b", fallback_channel: "wallet_a" },
    ],
    [
      "with optional fields null",
      { default_channel: null, fallback_channel: null, revocation_policy: null },
    ],
    [
      "with a revocation policy",
      {
        revocation_policy: {
          auto_revoke_on_refund: true,
          default_targets: [{ type: "license_key", scope: "all" }],
          webhook_on_revoke: false,
        },
      },
    ],
    ["with fields that it does not have", { id: "mine", status: "active", version: 7 }],
  ])("%s", (_, fields) => {
    assert.strictEqual(code(aManifest(fields)), "accepted")
  })

  it.each([
    "http://localhost:4021/hooks",
    "http://127.0.0.1:4021/hooks",
    "http://[::1]:4021/hooks",
  ])("with the local endpoint %s only where local receivers are allowed", (endpoint) => {
    assert.strictEqual(code(aManifest({ endpoint })), "INVALID_URL endpoint")
    assert.strictEqual(code(aManifest({ endpoint }), true), "accepted")
  })

  it("with its name trimmed, what was left out filled in, and nothing else", () => {
    const { tags: _, ...body } = aManifest({ name: "  Cafe\u0301 ", status: "active" })
    assert.deepStrictEqual(Result.getOrThrow(judge(body)), {
      ...aManifest(),
      name: "Café",
      tags: [],
      default_channel: null,
      fallback_channel: null,
      revocation_policy: null,
    })
  })
})
