import { Schema } from "effect"
import { PayableAmount } from "../shared/Money.ts"
import type { FieldRules } from "../shared/Decode.ts"
import { PageQuery } from "../shared/Page.ts"
import * as Text from "../shared/Text.ts"
import { CAP_PERIODS } from "./SpendCap.ts"

const ChannelId = Text.line(64)

const Percent = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 }))

/**
 * The body of `POST /v1/services/{id}/installs`. A missing field does not change; null removes it.
 * Without an `agent_id` it is the account's own agent.
 */
export const InstallInput = Schema.Struct({
  agent_id: Schema.optionalKey(Text.line(128)).annotateKey({
    description: "The agent that uses the service. Default: the key's own agent.",
  }),
  auto_pay_limit: Schema.optionalKey(Schema.NullOr(PayableAmount)).annotateKey({
    description: "The maximum of a payment without asking a person; null always asks.",
  }),
  channel_preference: Schema.optionalKey(Schema.NullOr(ChannelId)).annotateKey({
    description: "The channel to try first; null means the service's choice.",
  }),
  channels: Schema.optionalKey(
    Schema.Array(ChannelId).check(Schema.isMaxLength(32), Schema.isUnique()),
  ).annotateKey({
    description: "The only channels to pay by. Default: all channels of the service.",
  }),
  spend_cap: Schema.optionalKey(
    Schema.NullOr(
      Schema.Struct({
        amount: PayableAmount.annotateKey({ description: "The maximum per period." }),
        period: Schema.Literals(CAP_PERIODS).annotateKey({
          description: "The cap's period: a UTC day, a week from Monday, or a month.",
        }),
      }),
    ),
  ).annotateKey({
    description: "The maximum that the agent may pay to the service per period; null for no cap.",
  }),
  budget_alerts: Schema.optionalKey(
    Schema.Array(Percent).check(Schema.isMaxLength(10), Schema.isUnique()),
  ).annotateKey({ description: "The percentages of the cap at which the account is notified." }),
})
/** A decoded {@link InstallInput}. */
export type InstallInput = typeof InstallInput.Type

/** Bad amounts have an error code of their own (Errors). */
export const installRules = {
  invalid: {
    auto_pay_limit: "INVALID_AMOUNT",
    "spend_cap.amount": "INVALID_AMOUNT",
    "spend_cap.amount.currency": "INVALID_AMOUNT",
    "spend_cap.amount.value": "INVALID_AMOUNT",
  },
} satisfies FieldRules

/** The query of `GET /v1/installs`. */
export const ListInstallsQuery = Schema.Struct({
  service_id: Schema.optionalKey(Schema.NonEmptyString).annotateKey({
    description: "Only the install of this service.",
  }),
  ...PageQuery.fields,
})
export type ListInstallsQuery = typeof ListInstallsQuery.Type

/** One of the account's agents; its own by default. */
export const AgentQuery = Schema.Struct({
  agent_id: Schema.optionalKey(Schema.NonEmptyString).annotateKey({
    description: "The agent. Default: the key's own agent.",
  }),
})
export type AgentQuery = typeof AgentQuery.Type
