import { Effect, Redacted, Result } from "effect"
import type { BlockList } from "node:net"
import { hasKeyFormat } from "../../core/accounts/ApiKey.ts"
import type { ConnectionSettings } from "../../adapters/postgres/ConnectionSettings.ts"
import type { Carriers } from "../../adapters/identity/layer.ts"
import { carrierVariables, readCarriers } from "./carrierSettings.ts"
import { networksOf } from "../../adapters/shared/addresses/ClientAddress.ts"
import { isPrivateUrl, StartFailure } from "./address.ts"
import type { IntakeLimits } from "../../adapters/http/koa/Intake.ts"
import type { ModelSettings } from "../../adapters/language/ModelSettings.ts"
import type { KeyLifetime } from "../../core/accounts/KeyRules.ts"
import {
  type Connections,
  databaseVariables,
  readConnection,
  readPoolSizes,
} from "./databaseSettings.ts"
import { keyVariables, readKeyLifetime } from "./keySettings.ts"
import { type ObserveSettings, observeVariables, readObserve } from "./observe/observeSettings.ts"
import { probeVariables, type Probes, readProbes } from "./observe/probeSettings.ts"
import { helpOf } from "./help.ts"
import { languageVariables, readLanguageModel } from "./languageSettings.ts"
import type { Retention } from "../../core/retention/Retention.ts"
import {
  isWeakMasterKey,
  type MasterKeyPlace,
  masterKeyVariables,
  readMasterKey,
} from "./masterKeySettings.ts"
import { readRetention, retentionVariables } from "./retentionSettings.ts"
import { readIntake, requestVariables } from "./requestSettings.ts"
import { readStopPause, stopVariables } from "./stopSettings.ts"
import {
  isAdminKey,
  isWeakAdminKey,
  HOST,
  read,
  secret,
  variable,
  parseHost,
  parsePort,
  parseUrl,
} from "./variables.ts"

export type Role = "api" | "worker"

/** All settings of the environment. Undefined ones are generated or have a default. */
export interface Settings {
  readonly mode: "sandbox" | "live"
  readonly host: string
  readonly port: number
  readonly base_url: string | undefined
  /** The database of `PAYPORT_DATABASE_URL`; undefined for the embedded one. */
  readonly connection: ConnectionSettings | undefined
  readonly connections: Connections
  readonly data_dir: string
  readonly master_key: MasterKeyPlace | undefined
  readonly admin_key: Redacted.Redacted | undefined
  /** The path of the file that daily heads of the audit log are added to. */
  readonly audit_heads: string | undefined
  /** The path of the file of operators with names. */
  readonly operators: string | undefined
  /** Where the operators' part is served alone; undefined where it is served with the rest. */
  readonly admin_port: number | undefined
  readonly admin_host: string
  /** Where health and metrics are served for probes alone. */
  readonly probes: Probes
  readonly observe: ObserveSettings
  readonly demo_seller_key: Redacted.Redacted | undefined
  readonly demo_buyer_key: Redacted.Redacted | undefined
  /** After how many days a revocation in effect reads as expired. */
  readonly revocation_retention_days: number
  readonly roles: ReadonlySet<Role>
  /** How many requests are served at once, and for how long each. */
  readonly intake: IntakeLimits
  /** For how long, in milliseconds, a process says that it stops before it closes its listener. */
  readonly stop_pause: number
  /** Whether accounts are held to the request rates of their plans. */
  readonly rate_limits: boolean
  /** The proxies whose `X-Forwarded-For` tells a client's address. */
  readonly trusted_proxies: BlockList | undefined
  /** Whether receivers on this machine are accepted; undefined while nobody said. */
  readonly local_receivers: boolean | undefined
  readonly rates_url: Redacted.Redacted | undefined
  /** The path of the file of live mode's channels. */
  readonly channels: string | undefined
  /** The carriers of messages to people. */
  readonly carriers: Carriers
  readonly key_lifetime: KeyLifetime
  readonly retention: Retention
  /** The language model; undefined for the rules. */
  readonly language_model: ModelSettings | undefined
}

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

const variables = {
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
  roles: variable(
    "PAYPORT_ROLES",
    "api, worker or both with a comma between",
    "api,worker",
    parseRoles,
  ),
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

type Name = keyof typeof variables

const missingInLive = (name: Name): StartFailure => {
  const { name: variableName, wanted } = variables[name]
  return new StartFailure({
    message:
      `${variableName} has to be set in live mode: ${wanted}. Generated secrets are for ` +
      "the sandbox.",
  })
}

const weakAdminKey = new StartFailure({
  message:
    "PAYPORT_ADMIN_KEY has to be hard to guess in live mode: at least 32 characters of which at " +
    "least 12 differ, such as openssl rand -base64 32 makes them.",
})

const checkLive = (settings: Settings): Result.Result<Settings, StartFailure> => {
  if (settings.master_key === undefined) return Result.fail(missingInLive("master_key"))
  if (settings.admin_key === undefined) return Result.fail(missingInLive("admin_key"))
  const { admin_key, master_key } = settings
  if (master_key.from === "value" && isWeakMasterKey(master_key.key)) {
    return Result.fail(new StartFailure({ message: "PAYPORT_MASTER_KEY has to be random." }))
  }
  if (isWeakAdminKey(Redacted.value(admin_key))) return Result.fail(weakAdminKey)
  const demo = (["demo_seller_key", "demo_buyer_key"] as const).find(
    (name) => settings[name] !== undefined,
  )
  if (demo !== undefined) {
    return Result.fail(
      new StartFailure({
        message: `${variables[demo].name} has to be unset in live mode: it is for demo accounts.`,
      }),
    )
  }
  if (settings.local_receivers === true) {
    return Result.fail(
      new StartFailure({
        message:
          "PAYPORT_LOCAL_RECEIVERS has to be off or unset in live mode: receivers are on the " +
          "public internet.",
      }),
    )
  }
  if (settings.channels === undefined) {
    const { name, wanted } = variables.channels
    return Result.fail(
      new StartFailure({ message: `${name} has to be set in live mode: ${wanted}.` }),
    )
  }
  return Result.succeed(settings)
}

const checkSandbox = (settings: Settings): Result.Result<Settings, StartFailure> =>
  settings.channels === undefined
    ? Result.succeed(settings)
    : Result.fail(
        new StartFailure({
          message: "PAYPORT_CHANNELS has to be unset in the sandbox, which plays every channel.",
        }),
      )

/** Reads and checks all settings. Fails with a `StartFailure` for the first wrong one. */
export const readSettings = Effect.gen(function* () {
  const mode = (yield* read(variables.mode)) ?? "sandbox"
  const settings: Settings = {
    mode,
    host: (yield* read(variables.host)) ?? "127.0.0.1",
    port: (yield* read(variables.port)) ?? 4020,
    base_url: yield* read(variables.base_url),
    connection: yield* readConnection,
    connections: yield* readPoolSizes,
    data_dir: (yield* read(variables.data_dir)) ?? ".payport",
    master_key: yield* readMasterKey,
    admin_key: yield* read(variables.admin_key),
    audit_heads: yield* read(variables.audit_heads),
    operators: yield* read(variables.operators),
    admin_port: yield* read(variables.admin_port),
    admin_host: (yield* read(variables.admin_host)) ?? "127.0.0.1",
    probes: yield* readProbes,
    observe: yield* readObserve,
    demo_seller_key: yield* read(variables.demo_seller_key),
    demo_buyer_key: yield* read(variables.demo_buyer_key),
    revocation_retention_days: (yield* read(variables.revocation_retention_days)) ?? 90,
    roles: (yield* read(variables.roles)) ?? new Set<Role>(["api", "worker"]),
    stop_pause: yield* readStopPause(mode),
    trusted_proxies: yield* read(variables.trusted_proxies),
    rate_limits: (yield* read(variables.rate_limits)) ?? true,
    local_receivers: yield* read(variables.local_receivers),
    rates_url: yield* read(variables.rates_url),
    channels: yield* read(variables.channels),
    carriers: yield* readCarriers,
    key_lifetime: yield* readKeyLifetime,
    retention: yield* readRetention,
    intake: yield* readIntake,
    language_model: yield* readLanguageModel,
  }
  const check = settings.mode === "live" ? checkLive : checkSandbox
  return yield* Effect.fromResult(check(settings))
})

/** The text of `--help`. */
export const help = helpOf(Object.values(variables))
