import { Schema } from "effect"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { expectedRate } from "../invoices/ExpectedPrice.ts"
import { quoted } from "./SafeText.ts"
import type { ToolDescription } from "./Tool.ts"
import {
  agreedCurrency,
  calledBy,
  DATA,
  decodeCall,
  manifestId,
  money,
  NAME_SHOWN,
  TEXT_SHOWN,
  ToolCall,
} from "./ToolCall.ts"

/** Decodes the arguments of `pay_cumulative`. */
export const decodePayCumulative = decodeCall(Schema.Struct({ ...ToolCall, ...expectedRate }), {
  codes: { rate: "INVALID_AMOUNT", currency: "INVALID_AMOUNT", unit: "INVALID_AMOUNT" },
})

const outputSchema = {
  type: "object" as const,
  properties: {
    service_id: { type: "string" },
    agent_id: { type: "string" },
    status: { type: "string", description: "open while usage is counted." },
    unit: { type: "string" },
    currency: { type: "string" },
    quantity: { type: "string", description: "The units used since the last invoice." },
    amount: money,
    period_start: { type: "string" },
    period_end: { type: "string", description: "When the usage of this period is invoiced." },
    created_at: { type: "string" },
  },
  required: ["service_id", "agent_id", "status", "amount", "period_start", "period_end"],
}

/** Returns the tool that starts or resumes billing by use (MCP tool mapping). */
export const cumulativeTool = (manifest: ServiceManifest): ToolDescription | undefined => {
  const price = manifest.pricing.cumulative
  if (price === undefined) return undefined
  const { billing_cycle, currency = manifest.settlement_currency, rate, unit } = price
  return {
    title: `Pay by use: ${quoted(manifest.name, NAME_SHOWN)}`,
    description:
      `Start or resume cumulative billing for the service ${quoted(manifest.name, NAME_SHOWN)}, ` +
      `which its seller describes as ${quoted(manifest.description, TEXT_SHOWN)}. ` +
      `Usage is billed ${billing_cycle} at ${rate} minor units of ${currency} ` +
      `for each ${quoted(unit, 64)}. ${DATA}`,
    inputSchema: {
      type: "object",
      properties: {
        manifest_id: manifestId(manifest.id),
        rate: {
          type: ["number", "string"],
          description:
            "The price of a unit that you agree to, in minor units. If it differs, nothing " +
            "starts. Needs `currency`.",
        },
        ...agreedCurrency,
        unit: {
          type: "string",
          maxLength: 64,
          description: "The unit that you agree to, as described. If it differs, nothing starts.",
        },
        ...calledBy,
      },
      required: ["manifest_id"],
    },
    outputSchema,
    idempotent: true,
  }
}
