import { toIso } from "../shared/Timestamp.ts"
import type { Install } from "./Install.ts"

/** An install as its buyer sees it (Installs). */
export const view = (install: Install, approvalUrl: string | null) => {
  const { mandate } = install
  return {
    id: install.id,
    service_id: install.service_id,
    agent_id: install.agent_id,
    auto_pay_limit: install.auto_pay_limit,
    channel_preference: install.channel_preference,
    channels: install.channels,
    spend_cap: install.spend_cap,
    budget_alerts: install.budget_alerts,
    mandate: mandate && {
      id: mandate.id,
      status: mandate.status,
      channel: mandate.channel,
      ...(approvalUrl !== null && { approval_url: approvalUrl }),
    },
    created_at: toIso(install.created_at),
    updated_at: toIso(install.updated_at),
  }
}
