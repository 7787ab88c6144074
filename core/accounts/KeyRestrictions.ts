import { Result, Schema } from "effect"
import { type Money, PayableAmount } from "../shared/Money.ts"
import { covers, networkOf } from "../shared/Network.ts"
import * as Text from "../shared/Text.ts"
import { IsoTime } from "../shared/Timestamp.ts"
import { Amount } from "../shared/Wire.ts"

/**
 * The groups of requests: reading without secrets, making and moving payments, refunds, and
 * everything else, such as services, keys and webhooks.
 */
export const ROUTE_GROUPS = ["read", "pay", "refund", "manage"] as const
/** One of {@link ROUTE_GROUPS}. */
export type RouteGroup = (typeof ROUTE_GROUPS)[number]

/**
 * The periods of a key's budget: UTC days, weeks from Monday, months, or the key's whole lifetime.
 */
export const BUDGET_PERIODS = ["daily", "weekly", "monthly", "total"] as const

/** The most that may be paid in a period with a key and the keys that it has issued. */
export interface KeyBudget {
  /** The key that the budget was set for. All keys that inherit the budget share its sum. */
  readonly key_id: string
  readonly amount: Money
  readonly period: (typeof BUDGET_PERIODS)[number]
}

/** The restrictions of a key. A missing field does not restrict. */
export interface KeyRestrictions {
  readonly routes?: ReadonlyArray<RouteGroup>
  /** The only services and agents that its requests may concern. */
  readonly services?: ReadonlyArray<string>
  readonly agents?: ReadonlyArray<string>
  /** The most of a single payment. */
  readonly max_amount?: Money
  /** The budgets of its issuers first, its own last. */
  readonly budgets?: ReadonlyArray<KeyBudget>
  /** The addresses and CIDR blocks that it works from. */
  readonly addresses?: ReadonlyArray<string>
}

/** Tells whether the key may make requests of the group. */
export const allows = ({ routes }: KeyRestrictions, group: RouteGroup): boolean =>
  routes === undefined || routes.includes(group)

const some = <S extends Schema.Constraint>(item: S) =>
  Schema.optionalKey(
    Schema.Array(item).check(Schema.isMinLength(1), Schema.isMaxLength(100), Schema.isUnique()),
  )

const Block = Schema.String.check(
  Schema.makeFilter((text: string) =>
    networkOf(text) === undefined ? "must be an IP address or a CIDR block" : undefined,
  ),
)

const lists = {
  routes: some(Schema.Literals(ROUTE_GROUPS)).annotateKey({
    description: "The groups of requests that the key may make.",
  }),
  services: some(Text.line(64)).annotateKey({
    description: "The only services that the key's requests may concern.",
  }),
  agents: some(Text.line(128)).annotateKey({
    description: "The only agents that the key's requests may concern.",
  }),
  addresses: some(Block).annotateKey({
    description: "The IP addresses and CIDR blocks from which the key works.",
  }),
}

const period = Schema.Literals(BUDGET_PERIODS).annotateKey({
  description:
    "The budget's period: a UTC day, a week from Monday, a month, or the key's lifetime.",
})

/** The requested restrictions of a new key. A missing field is as for the key that issues it. */
export const RestrictionsInput = Schema.Struct({
  ...lists,
  max_amount: Schema.optionalKey(PayableAmount).annotateKey({
    description: "The maximum of a single payment.",
  }),
  budget: Schema.optionalKey(
    Schema.Struct({
      amount: PayableAmount.annotateKey({ description: "The maximum per period." }),
      period,
    }),
  ).annotateKey({
    description: "The maximum paid per period with the key and with the keys that it has issued.",
  }),
  expires_at: Schema.optionalKey(IsoTime).annotateKey({
    description: "When the program's access ends.",
  }),
})
/** See {@link RestrictionsInput}. */
export type RestrictionsInput = typeof RestrictionsInput.Type

/** The restrictions of a key. */
export const RestrictionsView = Schema.Struct({
  ...lists,
  max_amount: Schema.optionalKey(Amount).annotateKey({
    description: "The maximum of a single payment.",
  }),
  budget: Schema.optionalKey(
    Schema.Struct({
      amount: Amount.annotateKey({ description: "The maximum per period." }),
      period,
    }),
  ).annotateKey({
    description: "The maximum paid per period with the key and with the keys that it has issued.",
  }),
}).annotate({
  identifier: "KeyRestrictions",
  description:
    "The groups of requests that the key may make (`read`, `pay`, `refund`, `manage`), the " +
    "services and agents that they may concern, the maximum of a payment and of a period, " +
    "and the addresses from which the key works. A missing field does not restrict.",
  examples: [{ routes: ["read"] }],
})

/**
 * Shows restrictions. Of several budgets, shows the last: the key's own, or its nearest issuer's.
 */
export const restrictionsView = ({
  budgets,
  ...rest
}: KeyRestrictions): typeof RestrictionsView.Type => {
  const own = budgets?.at(-1)
  return { ...rest, ...(own && { budget: { amount: own.amount, period: own.period } }) }
}

/** The most budgets of a key; a payment reserves in the sum of each. */
const MOST_BUDGETS = 8

type Flaw = { readonly field: string; readonly reason: string }

const LISTS = ["routes", "services", "agents"] as const

/** Returns the first field that allows more than `outer`; undefined where there is none. */
const flawOf = (asked: KeyRestrictions, outer: KeyRestrictions): Flaw | undefined => {
  const wider = (field: keyof KeyRestrictions): Flaw => ({
    field: `restrictions.${field}`,
    reason: "must not allow more than the restrictions of the key that issues it",
  })
  for (const field of LISTS) {
    const allowed = new Set<string>(outer[field])
    const isWithin = (asked[field] ?? []).every((item) => allowed.has(item))
    if (outer[field] !== undefined && !isWithin) return wider(field)
  }
  const { addresses, max_amount } = outer
  const blocks = asked.addresses ?? []
  if (addresses && !blocks.every((inner) => addresses.some((block) => covers(block, inner)))) {
    return wider("addresses")
  }
  const most = asked.max_amount
  const isMore =
    max_amount && most && (most.currency !== max_amount.currency || most.value > max_amount.value)
  if (isMore) return wider("max_amount")
  return (asked.budgets ?? []).length > MOST_BUDGETS
    ? {
        field: "restrictions.budget",
        reason: `must not be nested: a chain of keys has at most ${MOST_BUDGETS} budgets`,
      }
    : undefined
}

/**
 * Returns the restrictions of a new key: the requested ones within those of the key that issues it.
 * Budgets accumulate, so that several keys cannot spend more than their issuer may. Fails with the
 * field that asks for more.
 */
export const restrictionsOf = (
  asked: RestrictionsInput | null,
  outer: KeyRestrictions | null,
  keyId: string,
): Result.Result<KeyRestrictions | null, Flaw> => {
  const { budget, expires_at: _, ...own } = asked ?? {}
  const budgets = [...(outer?.budgets ?? []), ...(budget ? [{ ...budget, key_id: keyId }] : [])]
  const wanted: KeyRestrictions = { ...outer, ...own, ...(budgets.length > 0 && { budgets }) }
  const flaw = flawOf(wanted, outer ?? {})
  if (flaw !== undefined) return Result.fail(flaw)
  return Result.succeed(Object.keys(wanted).length === 0 ? null : wanted)
}

/** Tells whether the key's requests are limited to certain services or agents. */
export const isScoped = ({ agents, services }: KeyRestrictions): boolean =>
  (services ?? agents) !== undefined

/** Tells whether the restrictions allow requests from that address. */
export const worksFrom = ({ addresses }: KeyRestrictions, address: string | undefined): boolean =>
  addresses === undefined ||
  (address !== undefined && addresses.some((block) => covers(block, address)))

/** The services and agents that a request concerns. */
export interface Concerned {
  readonly services: ReadonlyArray<string>
  readonly agents: ReadonlyArray<string>
}

const SCOPES = ["services", "agents"] as const

/**
 * Returns the restriction that a request breaks: it concerns none of the services or agents that
 * the key is restricted to, or also others. Undefined if the key allows it.
 */
export const scopeBroken = (
  restrictions: KeyRestrictions,
  concerned: Concerned,
): keyof Concerned | undefined =>
  SCOPES.find((scope) => {
    const allowed = restrictions[scope]
    const named = concerned[scope]
    return allowed && (named.length === 0 || !named.every((name) => allowed.includes(name)))
  })
