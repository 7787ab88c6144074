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
    description: "The agent that uses the service; the key's own where it is left out.",
  }),
  auto_pay_limit: Schema.optionalKey(Schema.NullOr(PayableAmount)).annotateKey({
    description: "The most that is paid at a time without asking; null asks every time.",
  }),
  channel_preference: Schema.optionalKey(Schema.NullOr(ChannelId)).annotateKey({
    description: "The channel to try first; null for the service's choice.",
  }),
  channels: Schema.optionalKey(
    Schema.Array(ChannelId).check(Schema.isMaxLength(32), Schema.isUnique()),
  ).annotateKey({
    description: "The only channels to pay by; every one of the service where it is left out.",
  }),
  spend_cap: Schema.optionalKey(
    Schema.NullOr(
      Schema.Struct({
        amount: PayableAmount.annotateKey({ description: "The most of a period." }),
        period: Schema.Literals(CAP_PERIODS).annotateKey({
          description: "The UTC day, week from Monday, or month that is counted.",
        }),
      }),
    ),
  ).annotateKey({
    description: "The most that the agent may pay to the service in a period; null for no cap.",
  }),
  budget_alerts: Schema.optionalKey(
    Schema.Array(Percent).check(Schema.isMaxLength(10), Schema.isUnique()),
  ).annotateKey({ description: "At which shares of the cap, in percent, the account is told." }),
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
    description: "The agent; the key's own where it is left out.",
  }),
})
export type AgentQuery = typeof AgentQuery.Type
