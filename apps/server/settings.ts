import { Effect, Redacted, Result } from "effect"
import type { BlockList } from "node:net"
import { resolve } from "node:path"
import type { ConnectionSettings } from "../../adapters/postgres/ConnectionSettings.ts"
import type { Carriers } from "../../adapters/identity/layer.ts"
import { readCarriers } from "./carrierSettings.ts"
import { StartFailure } from "./StartFailure.ts"
import type { ReturnHold } from "../../core/gateway/ReturnHold.ts"
import type { IntakeLimits } from "../../adapters/shared/Intake.ts"
import type { ModelSettings } from "../../adapters/language/ModelSettings.ts"
import type { KeyLifetime } from "../../core/accounts/KeyRules.ts"
import { type DatabaseUse, readConnection, readDatabaseUse } from "./databaseSettings.ts"
import { readKeyLifetime } from "./keySettings.ts"
import { type ObserveSettings, readObserve } from "./observe/observeSettings.ts"
import { type Probes, readProbes } from "./observe/probeSettings.ts"
import { commandHelp, helpOf, settingsOf } from "./help.ts"
import { readLanguageModel } from "./languageSettings.ts"
import type { Retention } from "../../core/retention/Retention.ts"
import { toIso } from "../../core/shared/Timestamp.ts"
import { isWeakMasterKey, type MasterKeyPlace, readMasterKey } from "./masterKeySettings.ts"
import { readProcesses } from "./processes/processSettings.ts"
import { readRetention } from "./retentionSettings.ts"
import { readIntake } from "./requestSettings.ts"
import { readStopPause } from "./stopSettings.ts"
import { type Role, variables } from "./settingVariables.ts"
import { isWeakAdminKey, read } from "./variables.ts"

/** All settings of the environment. Undefined ones are generated or have a default. */
export interface Settings {
  readonly mode: "sandbox" | "live"
  readonly host: string
  readonly port: number
  readonly base_url: string | undefined
  /** The database of `PAYPORT_DATABASE_URL`; undefined for the embedded one. */
  readonly connection: ConnectionSettings | undefined
  readonly database: DatabaseUse
  readonly data_dir: string
  readonly master_key: MasterKeyPlace | undefined
  readonly admin_key: Redacted.Redacted | undefined
  /** The path of the file to which the daily heads of the audit log are appended. */
  readonly audit_heads: string | undefined
  /** The path of the folder of the archive; undefined if nothing is archived. */
  readonly archive_dir: string | undefined
  /** The path of the file of named operators. */
  readonly operators: string | undefined
  /** The port that serves only the operators' part; undefined if it is served with the rest. */
  readonly admin_port: number | undefined
  readonly admin_host: string
  /** The listener that serves only health and metrics, for probes. */
  readonly probes: Probes
  readonly observe: ObserveSettings
  readonly demo_seller_key: Redacted.Redacted | undefined
  readonly demo_buyer_key: Redacted.Redacted | undefined
  /** After how many days a revocation in effect is shown as expired. */
  readonly revocation_retention_days: number
  /** After how many minutes a verified listed resource is probed again. */
  readonly listing_probe_minutes: number
  /** Whose money is not given back until an operator has looked at it. */
  readonly hold_returns: ReturnHold | undefined
  readonly roles: ReadonlySet<Role>
  /** How many processes answer on the port; if 1, this process does everything. */
  readonly processes: number
  /** How many requests are served at once, and for how long each. */
  readonly intake: IntakeLimits
  /** How many milliseconds a process reports that it stops before it closes its listener. */
  readonly stop_pause: number
  /** Whether the plans' request rates apply to accounts. */
  readonly rate_limits: boolean
  /** The proxies whose `X-Forwarded-For` tells a client's address. */
  readonly trusted_proxies: BlockList | undefined
  /** Whether receivers on this machine are accepted; undefined if not set. */
  readonly local_receivers: boolean | undefined
  readonly rates_url: Redacted.Redacted | undefined
  /** The path of the file of channels, for live mode. */
  readonly channels: string | undefined
  /** The carriers of messages to people. */
  readonly carriers: Carriers
  readonly key_lifetime: KeyLifetime
  readonly retention: Retention
  /** The language model; undefined for the rules. */
  readonly language_model: ModelSettings | undefined
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
    database: yield* readDatabaseUse,
    data_dir: (yield* read(variables.data_dir)) ?? ".payport",
    master_key: yield* readMasterKey,
    admin_key: yield* read(variables.admin_key),
    audit_heads: yield* read(variables.audit_heads),
    archive_dir: yield* read(variables.archive_dir),
    operators: yield* read(variables.operators),
    admin_port: yield* read(variables.admin_port),
    admin_host: (yield* read(variables.admin_host)) ?? "127.0.0.1",
    probes: yield* readProbes,
    observe: yield* readObserve,
    demo_seller_key: yield* read(variables.demo_seller_key),
    demo_buyer_key: yield* read(variables.demo_buyer_key),
    revocation_retention_days: (yield* read(variables.revocation_retention_days)) ?? 90,
    listing_probe_minutes: (yield* read(variables.listing_probe_minutes)) ?? 60,
    hold_returns: yield* read(variables.hold_returns),
    roles: (yield* read(variables.roles)) ?? new Set<Role>(["api", "worker"]),
    processes: yield* readProcesses(mode),
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

/**
 * Returns a warning of live mode on the embedded database, which may be a URL that was forgotten:
 * the service then begins with an empty one, on the disk of one machine.
 */
export const embeddedInLive = ({
  connection,
  data_dir,
  mode,
}: Pick<Settings, "connection" | "data_dir" | "mode">): string | undefined =>
  mode === "live" && connection === undefined
    ? "PAYPORT_DATABASE_URL is unset in live mode: all payments and books are kept in the " +
      `embedded PostgreSQL, only on this machine, in ${resolve(data_dir)}. For production ` +
      "set it to the URL of a PostgreSQL server; payport move copies the data."
    : undefined

/**
 * Returns a warning of live mode behind an unnamed proxy, which an address with https needs: the
 * service itself speaks http. All callers then have the proxy's address.
 */
export const proxyInLive = ({
  base_url,
  mode,
  rate_limits,
  roles,
  trusted_proxies,
}: Pick<Settings, "base_url" | "mode" | "rate_limits" | "roles" | "trusted_proxies">):
  | string
  | undefined =>
  mode === "live" &&
  roles.has("api") &&
  rate_limits &&
  trusted_proxies === undefined &&
  base_url?.startsWith("https:") === true
    ? "PAYPORT_TRUSTED_PROXIES is unset, though PAYPORT_BASE_URL is https: behind a proxy all " +
      "callers share the limits of one address, so that one of them can use them up, and keys " +
      "that are limited to addresses see the proxy's. Set it to the proxy's address."
    : undefined

/** Returns a reminder of a hold: payers wait for their money until it ends. */
const holding = ({ hold_returns: hold }: Settings): string | undefined => {
  if (hold === undefined) return undefined
  const whose =
    hold.type === "payments"
      ? `the payments that it names (${hold.ids.size})`
      : `payments created before ${toIso(hold.at)}`
  return (
    `PAYPORT_HOLD_RETURNS is set: money of ${whose} is not given back to the payers. Workers log ` +
    "each return that they hold. Unset it when all are decided."
  )
}

/** Returns what a start, and doctor, warn of in settings that are valid. */
export const doubtsAbout = (settings: Settings): ReadonlyArray<string> =>
  [embeddedInLive(settings), proxyInLive(settings), holding(settings)].flatMap((line) => line ?? [])

/** The text of `--help`. */
export const help = helpOf(Object.values(variables))

/** Returns the text of a command's `--help`; that of `start` includes the settings. */
export const helpFor = (name: string): string => {
  const text = commandHelp(name)
  return name === "start" ? `${text}\n${settingsOf(Object.values(variables))}` : (text ?? help)
}
