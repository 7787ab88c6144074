// Written independently of core/agents on purpose: see Model.ts.

import type { ServiceManifest } from "../../../core/registry/ServiceManifest.ts"
import type { Model } from "../Model.ts"
import type { Finding, Observations, Rulebook } from "../Observation.ts"
import { kept } from "./ownership.ts"

declare module "../Observation.ts" {
  interface Observations {
    /** A call of a service's tool at rest, with a mistake in its arguments, and its refusal. */
    readonly tool_called: {
      readonly tool: string
      readonly sent: { readonly [name: string]: unknown }
      /** What the caller's key is restricted to. */
      readonly services: ReadonlyArray<string> | undefined
      /** Undefined if the call was taken. */
      readonly refused: { readonly code: string; readonly field: string | undefined } | undefined
    }
  }
}

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
const NAME = new RegExp(`^(${UUID})__(pay_one_time|pay_cumulative|pay_subscribe)$`)

const BOTH = ["manifest_id", "agent_id", "human_id"]
const TAKEN: { readonly [kind: string]: ReadonlyArray<string> } = {
  pay_cumulative: BOTH,
  pay_one_time: [
    ...BOTH,
    "amount",
    "channel",
    "currency",
    "description",
    "idempotency_key",
    "metadata",
    "return_url",
  ],
  pay_subscribe: [...BOTH, "amount", "currency", "idempotency_key", "interval", "plan_id"],
}

/** Whether an argument that is known has a right value. */
const isRight = (name: string, value: unknown, id: string): boolean => {
  if (name === "manifest_id") return value === id
  if (name === "amount")
    return Number.isInteger(value) && Number(value) > 0 && Number(value) <= 1e12
  if (name === "currency") return typeof value === "string" && /^[A-Z]{3}$/.test(value)
  if (name === "metadata") return typeof value === "object" && value !== null
  return typeof value === "string" && value.trim() !== "" && !value.includes("\n")
}

const isOffered = ({ payment_methods, pricing }: ServiceManifest, kind: string): boolean => {
  if (kind === "pay_one_time") return payment_methods.one_time === true
  if (kind === "pay_subscribe") return payment_methods.subscription === true
  return payment_methods.cumulative === true && pricing.cumulative !== undefined
}

/** Returns the arguments that are wrong; null counts as left out. */
const wrongIn = (sent: object, id: string, kind: string): ReadonlyArray<string> => {
  const given = Object.entries(sent).filter(([, value]) => value !== null)
  const wrong = given.filter(([name, value]) => {
    return !(TAKEN[kind] ?? []).includes(name) || !isRight(name, value, id)
  })
  const names = wrong.map(([name]) => name)
  const due = ["manifest_id", ...(kind === "pay_subscribe" ? ["plan_id"] : [])]
  return [...names, ...due.filter((name) => !given.some(([one]) => one === name))]
}

const AWAY = ["NOT_FOUND", "SERVICE_NOT_ACTIVE"]
const MISTAKEN = ["INVALID_REQUEST", "INVALID_AMOUNT", "MISSING_REQUIRED_FIELD"]

const called = (seen: Observations["tool_called"], model: Model): Finding => {
  const { refused, sent, services, tool } = seen
  const { code = "success", field } = refused ?? {}
  const [, id = "", kind = ""] = NAME.exec(tool) ?? []
  if (kind === "") return code === "NOT_FOUND" ? undefined : `is known, and gets ${code}`
  if (services?.includes(id) === false) {
    return code === "FORBIDDEN" ? undefined : `is open to another's key, and gets ${code}`
  }
  // What such a key names wrongly may be another's.
  if (services !== undefined && code === "FORBIDDEN") return undefined
  const service = model.know(kept).get("service")?.get(id) as ServiceManifest | null | undefined
  if (service?.status !== "active" && AWAY.includes(code)) return undefined
  if (service === undefined || service === null || !isOffered(service, kind)) {
    return code === "NOT_FOUND" ? undefined : `is offered, and gets ${code}`
  }
  const wrong = wrongIn(sent, id, kind)
  if (!MISTAKEN.includes(code)) return `gets ${code}`
  return wrong.includes(field ?? "")
    ? undefined
    : `is refused for ${field}, not for ${wrong.join()}`
}

/** The rules about calls of tools. */
export const toolCallRules: Rulebook = { 145: { tool_called: called } }
