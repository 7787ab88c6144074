import { Schema } from "effect"
import { shownAs } from "../shared/View.ts"
import { Amount, Time } from "../shared/Wire.ts"
import type { Install } from "./Install.ts"
import { SpendCap } from "./SpendCap.ts"

/** The settings of an install in examples. */
export const exampleSettings = {
  auto_pay_limit: { currency: "USD", value: 500 },
  channel_preference: "wallet_a",
  channels: ["wallet_a"],
  spend_cap: { amount: { currency: "USD", value: 10_000 }, period: "monthly" },
  budget_alerts: [50, 80],
} as const

const MandateView = Schema.Struct({
  id: Schema.String.annotate({ description: "`mnd_` and a UUIDv7." }),
  status: Schema.Literals(["pending", "active", "revoked"]).annotate({
    description: "`pending` until the person approves the mandate in the wallet.",
  }),
  channel: Schema.String.annotateKey({ description: "The channel that holds the mandate." }),
  approval_url: Schema.optionalKey(Schema.String).annotate({
    description: "Where the person approves a pending mandate, if the channel gives a URL.",
  }),
})

/** An install as its buyer sees it (Installs). */
export const InstallView = Schema.Struct({
  id: Schema.String.annotate({ description: "`ins_` and a UUID." }),
  service_id: Schema.String.annotateKey({ description: "The service's id." }),
  agent_id: Schema.String.annotateKey({
    description: "The agent's id, chosen by its account.",
  }),
  auto_pay_limit: Schema.NullOr(Amount).annotate({
    description:
      "One-Time payments and invoices up to this amount, in its currency, are paid without " +
      "asking.",
  }),
  channel_preference: Schema.NullOr(Schema.String).annotateKey({
    description: "The channel to try first; null means the service's choice.",
  }),
  channels: Schema.Array(Schema.String).annotateKey({
    description: "The only channels to pay by; empty means all channels of the service.",
  }),
  spend_cap: Schema.NullOr(SpendCap).annotateKey({
    description: "The maximum that the agent may pay to the service per period; null for no cap.",
  }),
  budget_alerts: Schema.Array(Schema.Int).annotate({
    description: "The percentages of the cap at which the account is notified.",
  }),
  mandate: Schema.NullOr(MandateView).annotateKey({
    description: "The mandate that the person approves in the wallet; null for none.",
  }),
  created_at: Time.annotateKey({ description: "The time of creation." }),
  updated_at: Time.annotateKey({ description: "The time of the last change." }),
}).annotate({
  identifier: "Install",
  description: "How an agent uses a service.",
  examples: [
    {
      id: "ins_01997d3e-8a00-8000-8000-000000000030",
      service_id: "01997d3e-8a00-7000-8000-000000000010",
      agent_id: "agent_traveller",
      ...exampleSettings,
      mandate: {
        id: "mnd_01997d3e-8a00-7000-8000-000000000031",
        status: "active",
        channel: "wallet_a",
      },
      created_at: "2026-01-31T08:00:00.000Z",
      updated_at: "2026-01-31T08:00:00.000Z",
    },
  ],
})

/** Shows an install. `approvalUrl` is that of its pending mandate. */
export const view = (install: Install, approvalUrl: string | null) => {
  const { mandate } = install
  return shownAs(InstallView, install, {
    mandate: mandate && {
      id: mandate.id,
      status: mandate.status,
      channel: mandate.channel,
      ...(approvalUrl !== null && { approval_url: approvalUrl }),
    },
  })
}
