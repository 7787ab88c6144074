import { hasKeyFormat } from "../../core/accounts/ApiKey.ts"
import { parseReturnHold } from "../../core/gateway/ReturnHold.ts"
import { networksOf } from "../../adapters/shared/addresses/ClientAddress.ts"
import { isPrivateUrl } from "../../adapters/shared/addresses/localHost.ts"
import { carrierVariables } from "./carrierSettings.ts"
import { databaseVariables } from "./databaseSettings.ts"
import { keyVariables } from "./keySettings.ts"
import { languageVariables } from "./languageSettings.ts"
import { masterKeyVariables } from "./masterKeySettings.ts"
import { observeVariables } from "./observe/observeSettings.ts"
import { probeVariables } from "./observe/probeSettings.ts"
import { processVariables } from "./processes/processSettings.ts"
import { requestVariables } from "./requestSettings.ts"
import { retentionVariables } from "./retentionSettings.ts"
import { stopVariables } from "./stopSettings.ts"
import { HOST, isAdminKey, parseHost, parsePort, parseUrl, secret, variable } from "./variables.ts"

/** The role of a process: it answers callers, does due work, or both. */
export type Role = "api" | "worker"

/** Whether the text can be the key of a demo account of that kind. */
export const isDemoKey = (kind: "seller" | "buyer", text: string): boolean =>
  hasKeyFormat(text, "sandbox") && text.startsWith(kind === "buyer" ? "ag_sk_test_" : "sk_test_")

const onOrOff = (text: string): boolean | undefined =>
  text === "on" ? true : text === "off" ? false : undefined

const parseRoles = (text: string): ReadonlySet<Role> | undefined => {
  const roles = text.split(",").map((role) => role.trim())
  const known = roles.filter((role) => role === "api" || role === "worker")
  return known.length === roles.length ? new Set(known) : undefined
}

/** Every setting of the environment: its name, its form, and its default. */
export const variables = {
  mode: variable("PAYPORT_MODE", "sandbox or live", "sandbox", (text) =>
    text === "sandbox" || text === "live" ? text : undefined,
  ),
  host: variable("PAYPORT_HOST", HOST, "127.0.0.1", parseHost),
  port: variable("PAYPORT_PORT", "a port from 0 to 65535", "4020; 0 takes a free one", parsePort),
  base_url: variable(
    "PAYPORT_BASE_URL",
    "an http or https URL without user name, query and fragment",
    "made of host and port",
    parseUrl,
  ),
  ...databaseVariables,
  data_dir: variable("PAYPORT_DATA_DIR", "the path of a folder", ".payport", (text) =>
    text.includes("\0") ? undefined : text,
  ),
  ...masterKeyVariables,
  admin_key: secret(
    "PAYPORT_ADMIN_KEY",
    "16 to 256 visible ASCII characters without blanks",
    "generated, kept in the data folder",
    isAdminKey,
  ),
  audit_heads: variable(
    "PAYPORT_AUDIT_HEADS",
    "the path of a file that the audit log's signed heads are added to, a line a day",
    "unset: GET /v1/audit/heads alone",
    (text) => (text.includes("\0") ? undefined : text),
  ),
  archive_dir: variable(
    "PAYPORT_ARCHIVE_DIR",
    "the path of a folder that payport archive fills, and without whose files nothing is removed",
    "unset: what is old enough is removed, archived or not",
    (text) => (text.includes("\0") ? undefined : text),
  ),
  operators: variable(
    "PAYPORT_OPERATORS",
    "the path of the JSON file of operators",
    "unset: the admin key alone",
    (text) => (text.includes("\0") ? undefined : text),
  ),
  admin_port: variable(
    "PAYPORT_ADMIN_PORT",
    "a port from 0 to 65535, for operators and metrics alone",
    "unset: on PAYPORT_PORT with the rest",
    parsePort,
  ),
  admin_host: variable("PAYPORT_ADMIN_HOST", HOST, "127.0.0.1", parseHost),
  ...probeVariables,
  ...observeVariables,
  demo_seller_key: secret(
    "PAYPORT_DEMO_SELLER_KEY",
    "sk_test_ and 43 base64url characters",
    "generated, kept in the data folder",
    (text) => isDemoKey("seller", text),
  ),
  demo_buyer_key: secret(
    "PAYPORT_DEMO_BUYER_KEY",
    "ag_sk_test_ and 43 base64url characters",
    "generated, kept in the data folder",
    (text) => isDemoKey("buyer", text),
  ),
  revocation_retention_days: variable(
    "PAYPORT_REVOCATION_RETENTION_DAYS",
    "a number of days from 1 to 3650",
    "90",
    (text) => (/^[1-9]\d{0,3}$/.test(text) && Number(text) <= 3_650 ? Number(text) : undefined),
  ),
  listing_probe_minutes: variable(
    "PAYPORT_LISTING_PROBE_MINUTES",
    "a number of minutes from 1 to 1440",
    "60",
    (text) => (/^[1-9]\d{0,3}$/.test(text) && Number(text) <= 1_440 ? Number(text) : undefined),
  ),
  hold_returns: variable(
    "PAYPORT_HOLD_RETURNS",
    "a time such as 2026-01-31T12:00:00Z, or ids of payments with commas between",
    "unset: all money that goes back does so at once",
    parseReturnHold,
  ),
  roles: variable(
    "PAYPORT_ROLES",
    "api, worker or both with a comma between",
    "api,worker",
    parseRoles,
  ),
  ...processVariables,
  ...stopVariables,
  rate_limits: variable("PAYPORT_RATE_LIMITS", "on or off", "on", onOrOff),
  local_receivers: variable(
    "PAYPORT_LOCAL_RECEIVERS",
    "on or off; live mode takes off alone",
    "on in a sandbox whose host and base URL are this machine's alone",
    onOrOff,
  ),
  trusted_proxies: variable(
    "PAYPORT_TRUSTED_PROXIES",
    "addresses or CIDR blocks with commas between, such as 10.0.0.0/8,192.0.2.7",
    "none: X-Forwarded-For is not read",
    (text) => networksOf(text.split(",").map((block) => block.trim())),
  ),
  rates_url: secret(
    "PAYPORT_RATES_URL",
    "the https URL of a JSON feed; http reaches this machine only",
    "unset: a dated table, for the sandbox",
    isPrivateUrl,
  ),
  channels: variable(
    "PAYPORT_CHANNELS",
    "the path of the JSON file of live channels",
    "unset: the sandbox plays its channels; live mode needs it",
    (text) => (text.includes("\0") ? undefined : text),
  ),
  ...carrierVariables,
  ...keyVariables,
  ...retentionVariables,
  ...requestVariables,
  ...languageVariables,
}
