import type { ManifestInput, ServiceManifest } from "../../../../adapters/http/client/Resources.ts"
import {
  amountAt,
  type Draft,
  filled,
  isTicked,
  listOf,
  type Read,
  rowsOf,
  tickedOf,
  typedAt,
  YES,
} from "../forms/Draft.ts"
import type { Issue } from "../forms/issues.ts"
import { typable } from "../show/money.ts"

const METHODS = ["one_time", "cumulative", "subscription"] as const

/** A new service: one price, with a new code for each payment. */
export const NEW_SERVICE: Draft = {
  qr_mode: "dynamic",
  settlement_currency: "USD",
  "payment_methods.one_time": YES,
  "pricing.one_time": "1",
  "pricing.one_time.0.currency": "USD",
  "pricing.open_amount.currency": "USD",
  "pricing.cumulative.billing_cycle": "monthly",
  "revocation_policy.webhook_on_revoke": YES,
}

const ticked = (is: boolean | undefined): string => (is === true ? YES : "")

const typed = (currency: string, value: number | undefined): string =>
  value === undefined ? "" : typable({ currency, value })

const rows = <Row>(
  list: string,
  given: ReadonlyArray<Row> | undefined,
  draftOf: (row: Row) => Draft,
): Draft =>
  Object.fromEntries([
    [list, String(given?.length ?? 0)],
    ...(given ?? []).flatMap((row, n) =>
      Object.entries(draftOf(row)).map(([name, value]) => [`${list}.${n}.${name}`, value] as const),
    ),
  ])

const pricesOf = ({
  cumulative,
  one_time,
  open_amount,
  subscription,
}: ManifestInput["pricing"]) => ({
  ...rows("pricing.one_time", one_time, ({ amount, currency, label }) => ({
    label,
    currency,
    amount: typed(currency, amount),
  })),
  "pricing.open_amount": ticked(open_amount !== undefined),
  "pricing.open_amount.currency": open_amount?.currency ?? "USD",
  "pricing.open_amount.minimum": typed(open_amount?.currency ?? "", open_amount?.minimum),
  "pricing.open_amount.maximum": typed(open_amount?.currency ?? "", open_amount?.maximum),
  "pricing.cumulative.unit": cumulative?.unit ?? "",
  "pricing.cumulative.rate": String(cumulative?.rate ?? ""),
  "pricing.cumulative.billing_cycle": cumulative?.billing_cycle ?? "monthly",
  "pricing.cumulative.currency": cumulative?.currency ?? "",
  ...rows("pricing.subscription", subscription, (plan) => ({
    plan_id: plan.plan_id,
    name: plan.name,
    currency: plan.currency,
    interval: plan.interval,
    amount: typed(plan.currency, plan.amount),
    features: (plan.features ?? []).join("\n"),
  })),
})

const policyOf = (policy: ServiceManifest["revocation_policy"]): Draft => ({
  "revocation_policy.auto_revoke_on_refund": ticked(policy?.auto_revoke_on_refund),
  "revocation_policy.webhook_on_revoke": ticked(policy?.webhook_on_revoke ?? true),
  "revocation_policy.strict": ticked(policy?.strict),
  "revocation_policy.revoke_url": policy?.revoke_url ?? "",
  ...rows("revocation_policy.default_targets", policy?.default_targets, ({ scope, type }) => ({
    type,
    scope: scope ?? "",
  })),
})

/** Returns the draft of a registered service. */
export const draftOf = (service: ServiceManifest): Draft => ({
  name: service.name,
  description: service.description,
  tags: service.tags.join(", "),
  qr_mode: service.qr_mode,
  settlement_currency: service.settlement_currency,
  endpoint: service.endpoint ?? "",
  default_channel: service.default_channel ?? "",
  fallback_channel: service.fallback_channel ?? "",
  ...Object.fromEntries(
    METHODS.map((method) => [`payment_methods.${method}`, ticked(service.payment_methods[method])]),
  ),
  ...Object.fromEntries(service.accepted_channels.map((id) => [`accepted_channels.${id}`, YES])),
  ...pricesOf(service.pricing),
  ...policyOf(service.revocation_policy),
})

/** The fields of a body, perhaps with mistakes that its Schema finds. */
type Fields = { readonly [field: string]: unknown }

const code = (draft: Draft, name: string): string => typedAt(draft, name).toUpperCase()

const priced = (draft: Draft, row: string) => {
  const currency = code(draft, `${row}.currency`)
  const [amount, issues] = amountAt(draft, `${row}.amount`, currency)
  return { fields: { currency, amount }, issues }
}

const readOneTime = (draft: Draft): Read<Fields> => {
  const read = rowsOf(draft, "pricing.one_time").map((row) => {
    const { fields, issues } = priced(draft, row)
    return { body: { label: typedAt(draft, `${row}.label`), ...fields }, issues }
  })
  return {
    body: { one_time: read.map(({ body }) => body) },
    issues: read.flatMap(({ issues }) => issues),
  }
}

const readOpen = (draft: Draft): Read<Fields> => {
  const name = "pricing.open_amount"
  if (!isTicked(draft, name)) return { body: {}, issues: [] }
  const currency = code(draft, `${name}.currency`)
  const bounds = (["minimum", "maximum"] as const).flatMap((bound) =>
    typedAt(draft, `${name}.${bound}`) === ""
      ? []
      : [[bound, amountAt(draft, `${name}.${bound}`, currency)] as const],
  )
  const open_amount = {
    currency,
    ...Object.fromEntries(bounds.map(([bound, [value]]) => [bound, value])),
  }
  return { body: { open_amount }, issues: bounds.flatMap(([, [, issues]]) => issues) }
}

const readUse = (draft: Draft): Read<Fields> => {
  const name = "pricing.cumulative"
  const currency = code(draft, `${name}.currency`)
  const cumulative = {
    unit: typedAt(draft, `${name}.unit`),
    rate: typedAt(draft, `${name}.rate`),
    billing_cycle: typedAt(draft, `${name}.billing_cycle`),
    ...(currency !== "" && { currency }),
  }
  return { body: { cumulative }, issues: [] }
}

const readPlans = (draft: Draft): Read<Fields> => {
  const read = rowsOf(draft, "pricing.subscription").map((row) => {
    const { fields, issues } = priced(draft, row)
    const [plan_id, name, interval] = ["plan_id", "name", "interval"].map((field) =>
      typedAt(draft, `${row}.${field}`),
    )
    const features = typedAt(draft, `${row}.features`)
      .split("\n")
      .map((feature) => feature.trim())
      .filter((feature) => feature !== "")
    return { body: { plan_id, name, interval, features, ...fields }, issues }
  })
  return {
    body: { subscription: read.map(({ body }) => body) },
    issues: read.flatMap(({ issues }) => issues),
  }
}

const READS = { one_time: readOneTime, cumulative: readUse, subscription: readPlans }

const readPolicy = (draft: Draft): Fields | null => {
  const name = "revocation_policy"
  const targets = rowsOf(draft, `${name}.default_targets`).map((row) => ({
    type: typedAt(draft, `${row}.type`),
    ...filled(draft, `${row}.`, ["scope"]),
  }))
  const policy = {
    ...(isTicked(draft, `${name}.auto_revoke_on_refund`) && { auto_revoke_on_refund: true }),
    ...(!isTicked(draft, `${name}.webhook_on_revoke`) && { webhook_on_revoke: false }),
    ...(isTicked(draft, `${name}.strict`) && { strict: true }),
    ...filled(draft, `${name}.`, ["revoke_url"]),
    ...(targets.length > 0 && { default_targets: targets }),
  }
  return Object.keys(policy).length === 0 ? null : policy
}

const methodMissing = (methods: ReadonlyArray<string>): ReadonlyArray<Issue> =>
  methods.length > 0 ? [] : [{ field: "payment_methods", reason: "at least one has to be chosen" }]

/** Reads the typed manifest, with mistakes in its amounts; the Schema checks the rest. */
export const readService = (draft: Draft, channels: ReadonlyArray<string>): Read<Fields> => {
  const methods = METHODS.filter((method) => isTicked(draft, `payment_methods.${method}`))
  const prices = [
    ...methods.map((method) => READS[method](draft)),
    ...(methods.includes("one_time") ? [readOpen(draft)] : []),
  ]
  const channel = (name: string) => {
    const chosen = typedAt(draft, name)
    return chosen === "" ? null : chosen
  }
  return {
    body: {
      ...Object.fromEntries(
        (["name", "description", "qr_mode", "endpoint"] as const).map((name) => [
          name,
          typedAt(draft, name),
        ]),
      ),
      payment_methods: Object.fromEntries(methods.map((method) => [method, true])),
      pricing: Object.assign({}, ...prices.map(({ body }) => body)),
      accepted_channels: tickedOf(draft, "accepted_channels", channels),
      settlement_currency: code(draft, "settlement_currency"),
      tags: listOf(typedAt(draft, "tags")),
      default_channel: channel("default_channel"),
      fallback_channel: channel("fallback_channel"),
      revocation_policy: readPolicy(draft),
    },
    issues: [...methodMissing(methods), ...prices.flatMap(({ issues }) => issues)],
  }
}
