import type { Install, ServiceManifest } from "../../../../adapters/http/client/Resources.ts"
import { type Draft, listOf, moneyAt, type Read, tickedOf, typedAt, YES } from "../forms/Draft.ts"
import { typable } from "../show/money.ts"

/** Returns the draft of an install; of a new one if there is none. */
export const installDraft = (
  agent_id: string,
  { settlement_currency }: Pick<ServiceManifest, "settlement_currency">,
  install: Install | undefined,
): Draft => {
  const { auto_pay_limit: limit, spend_cap: cap } = install ?? {}
  return {
    agent_id: install?.agent_id ?? agent_id,
    "auto_pay_limit.value": limit == null ? "" : typable(limit),
    "auto_pay_limit.currency": limit?.currency ?? settlement_currency,
    "spend_cap.amount.value": cap == null ? "" : typable(cap.amount),
    "spend_cap.amount.currency": cap?.amount.currency ?? settlement_currency,
    "spend_cap.period": cap?.period ?? "monthly",
    budget_alerts: (install?.budget_alerts ?? []).join(", "),
    channel_preference: install?.channel_preference ?? "",
    ...Object.fromEntries((install?.channels ?? []).map((id) => [`channels.${id}`, YES])),
  }
}

/** Reads the typed install, with mistakes in its amounts; the Schema checks the rest. */
export const readInstall = (draft: Draft, channels: ReadonlyArray<string>): Read<unknown> => {
  const limit = moneyAt(draft, "auto_pay_limit")
  const cap = moneyAt(draft, "spend_cap.amount")
  const preference = typedAt(draft, "channel_preference")
  const period = typedAt(draft, "spend_cap.period")
  return {
    body: {
      agent_id: typedAt(draft, "agent_id"),
      auto_pay_limit: limit.body,
      spend_cap: cap.body === null ? null : { amount: cap.body, period },
      budget_alerts: listOf(typedAt(draft, "budget_alerts")).map((text) =>
        /^\d{1,3}%?$/.test(text) ? Number.parseInt(text, 10) : text,
      ),
      channel_preference: preference === "" ? null : preference,
      channels: tickedOf(draft, "channels", channels),
    },
    issues: [...limit.issues, ...cap.issues],
  }
}
