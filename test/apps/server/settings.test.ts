import { ConfigProvider, Effect, Redacted, Result } from "effect"
import { describe, expect, test } from "vitest"
import { misspelt } from "../../../apps/server/misspelt.ts"
import { takesLocalReceivers } from "../../../apps/server/services.ts"
import {
  doubtsAbout,
  embeddedInLive,
  help,
  proxyInLive,
  readSettings,
} from "../../../apps/server/settings.ts"
import { DAY, SECOND } from "../../../core/shared/Timestamp.ts"

type Environment = { readonly [name: string]: string }

const read = (env: Environment) =>
  readSettings.pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env })),
    Effect.result,
    Effect.runSync,
  )

const settingsOf = (env: Environment) => Result.getOrThrow(read(env))

const lineOf = (env: Environment): string => {
  const result = read(env)
  return Result.isFailure(result) ? result.failure.message : "no failure"
}

const token = "A".repeat(43)
const admin = "Zk3vQ9xT1bN7mW5sR2yL8cP4hJ6dF0gA"
const master = Buffer.from(Array.from({ length: 32 }, (_, n) => n)).toString("base64")

describe("a variable that is no setting", () => {
  test.each([
    ["PAYPORT_DATABSE_URL", "PAYPORT_DATABASE_URL"],
    ["PAYPORT_ARCHVE_DIR", "PAYPORT_ARCHIVE_DIR"],
    ["PAYPORT_TRUSTED_PROXY", "PAYPORT_TRUSTED_PROXIES"],
  ])("is told with the setting that is meant: %s", (name, meant) =>
    expect(misspelt({ [name]: "a secret" })).toEqual([
      `${name} is not a setting and has no effect. Is ${meant} meant?`,
    ]),
  )
  test.each([
    "PAYPORT_DATABASE_URL",
    "DATABASE_URL",
    "PAYPORT_SERVICE_HOST",
    "PAYPORT_API_SERVICE_PORT",
    "PAYPORT_PORT_4020_TCP_ADDR",
    "PAYPORT_API_KEY",
    "PAYPORT_URL",
  ])("is not told where it is one, or another program's: %s", (name) =>
    expect(misspelt({ [name]: "x" })).toEqual([]),
  )
  test.each(["PAYPORT_DB_PORT", "PAYPORT_PROBES_PORT", "PAYPORT_REPLICA_PORT"])(
    "is not told where Kubernetes has set it for a Service: %s",
    (name) => {
      expect(misspelt({ [name]: "tcp://10.0.0.7:5432" })).toEqual([])
      expect(misspelt({ [name]: "5432" })).toHaveLength(1)
    },
  )
})

describe("settings", () => {
  test("have defaults, all of them", () => {
    expect(settingsOf({})).toEqual({
      mode: "sandbox",
      host: "127.0.0.1",
      port: 4020,
      base_url: undefined,
      database: {},
      data_dir: ".payport",
      master_key: undefined,
      admin_key: undefined,
      admin_host: "127.0.0.1",
      probes: { host: "127.0.0.1" },
      observe: { log_level: "Info", access_log: "on" },
      demo_seller_key: undefined,
      demo_buyer_key: undefined,
      revocation_retention_days: 90,
      listing_probe_minutes: 60,
      processes: 1,
      roles: new Set(["api", "worker"]),
      stop_pause: 0,
      rate_limits: true,
      intake: { most: 256, within: 10_000 },
      carriers: { smtp: undefined, sms: undefined },
      key_lifetime: { usual: null, most: null },
      retention: {
        event: 90 * DAY,
        delivery: 30 * DAY,
        channel_request: 400 * DAY,
        callback: 90 * DAY,
        reply: DAY,
        unpaid: 30 * DAY,
      },
    })
    expect(settingsOf({ PAYPORT_PORT: "", PAYPORT_MODE: " " })).toEqual(settingsOf({}))
  })

  test("are read from the environment", () => {
    const settings = settingsOf({
      PAYPORT_HOST: "[::1]",
      PAYPORT_PORT: "0",
      PAYPORT_BASE_URL: "https://pay.example/",
      PAYPORT_DATABASE_URL: "postgresql://me:word@db.example/payport",
      PAYPORT_MASTER_KEY: master,
      PAYPORT_ROLES: "worker",
      PAYPORT_RATES_URL: " https://rates.example/latest?key=a-word ",
      PAYPORT_REVOCATION_RETENTION_DAYS: "7",
      PAYPORT_EVENT_RETENTION_DAYS: "7",
      PAYPORT_RATE_LIMITS: "off",
      PAYPORT_REQUESTS_AT_ONCE: "32",
      PAYPORT_REQUEST_SECONDS: "4",
      PAYPORT_STOP_PAUSE: "60",
      PAYPORT_DEMO_BUYER_KEY: `ag_sk_test_${token}`,
    })
    expect(settings).toMatchObject({
      host: "::1",
      port: 0,
      base_url: "https://pay.example",
      revocation_retention_days: 7,
      retention: { event: 7 * DAY, delivery: 30 * DAY },
      roles: new Set(["worker"]),
      rate_limits: false,
      intake: { most: 32, within: 4_000 },
      stop_pause: 60 * SECOND,
    })
    const { master_key } = settings
    expect(master_key?.from === "value" && Redacted.value(master_key.key)).toBe(master)
    expect(settings.connection).toMatchObject({ host: "db.example", username: "me" })
    const feed = "https://rates.example/latest?key=a-word"
    expect(Redacted.value(settings.rates_url!)).toBe(feed)
    expect(JSON.stringify(settings)).not.toMatch(/"word"|a-word/)
  })

  test.each<[string, string]>([
    ["PAYPORT_MODE", "production"],
    ["PAYPORT_HOST", "a b"],
    ["PAYPORT_ADMIN_HOST", "a b"],
    ["PAYPORT_ADMIN_PORT", "65536"],
    ["PAYPORT_HOST", "http://127.0.0.1"],
    ["PAYPORT_PORT", "65536"],
    ["PAYPORT_PORT", "-1"],
    ["PAYPORT_PORT", "80.5"],
    ["PAYPORT_PORT", "http"],
    ["PAYPORT_BASE_URL", "pay.example"],
    ["PAYPORT_BASE_URL", "ftp://pay.example"],
    ["PAYPORT_BASE_URL", "https://pay.example?x=1"],
    ["PAYPORT_DATABASE_URL", "mysql://db/payport"],
    ["PAYPORT_DATABASE_URL", "db"],
    ["PAYPORT_REPLICA_URL", "postgresql://a/payport,mysql://b/payport"],
    ["PAYPORT_REPLICA_LAG", "0"],
    ["PAYPORT_REPLICA_LAG", "301"],
    ["PAYPORT_READ_CONNECTIONS", "0"],
    ["PAYPORT_WORK_CONNECTIONS", "100"],
    ["PAYPORT_MASTER_KEY", master.slice(4)],
    ["PAYPORT_MASTER_KEY", "secret"],
    ["PAYPORT_ADMIN_KEY", "short"],
    ["PAYPORT_ADMIN_KEY", "with a blank in the middle"],
    ["PAYPORT_DEMO_SELLER_KEY", `ag_sk_test_${token}`],
    ["PAYPORT_DEMO_SELLER_KEY", `sk_live_${token}`],
    ["PAYPORT_DEMO_BUYER_KEY", `sk_test_${token}`],
    ["PAYPORT_ROLES", "api;worker"],
    ["PAYPORT_ROLES", ","],
    ["PAYPORT_RATE_LIMITS", "no"],
    ["PAYPORT_STOP_PAUSE", "61"],
    ["PAYPORT_STOP_PAUSE", "1.5"],
    ["PAYPORT_KEY_DAYS", "0"],
    ["PAYPORT_REQUESTS_AT_ONCE", "7"],
    ["PAYPORT_REQUEST_SECONDS", "61"],
    ["PAYPORT_KEY_DAYS_MOST", "3651"],
    ["PAYPORT_LOCAL_RECEIVERS", "yes"],
    ["PAYPORT_SMTP_URL", "https://mail.example"],
    ["PAYPORT_SMTP_FROM", "codes at example"],
    ["PAYPORT_SMS_URL", "ftp://sms.example"],
    ["PAYPORT_SMS_SECRET", "short"],
    ["PAYPORT_RATES_URL", "rates.example/latest"],
    ["PAYPORT_RATES_URL", "file:///etc/passwd"],
    ["PAYPORT_RATES_URL", "https://"],
    ["PAYPORT_RATES_URL", "https://me:word@rates.example/latest"],
    ["PAYPORT_RATES_URL", "https://:word@rates.example/latest"],
    ["PAYPORT_RATES_URL", "http://rates.example/latest"],
    ["PAYPORT_LANGUAGE_MODEL", "gpt-5"],
    ["PAYPORT_LANGUAGE_MODEL", "other:model"],
    ["PAYPORT_LANGUAGE_URL", "http://models.example/v1"],
    ["PAYPORT_LANGUAGE_URL", "https://me:word@models.example/v1"],
    ["PAYPORT_LANGUAGE_KEY", "with a blank"],
    ["PAYPORT_CHANNELS", "a\0b"],
    ["PAYPORT_EVENT_RETENTION_DAYS", "6"],
    ["PAYPORT_REPLY_RETENTION_DAYS", "0"],
    ["PAYPORT_UNPAID_RETENTION_DAYS", "31"],
    ["PAYPORT_HOLD_RETURNS", "on"],
    ["PAYPORT_REVOCATION_RETENTION_DAYS", "0"],
    ["PAYPORT_REVOCATION_RETENTION_DAYS", "1.5"],
    ["PAYPORT_REVOCATION_RETENTION_DAYS", "3651"],
  ])("%s cannot be %j, and the line says what it has to be", (name, value) => {
    const line = lineOf({ [name]: value })
    expect(line).toMatch(new RegExp(`^${name} has to be [^\\n]+\\.$`))
    if (/_KEY$|DATABASE|SECRET|SMTP_URL|SMS_URL|RATES/.test(name)) expect(line).not.toContain(value)
  })

  test.each(["http://127.0.0.1:9/latest", "http://[::1]/latest", "http://localhost/a?key=b"])(
    "PAYPORT_RATES_URL can be %s",
    (url) => {
      const { rates_url } = settingsOf({ PAYPORT_RATES_URL: url })
      expect(Redacted.value(rates_url!)).toBe(url)
    },
  )

  test.each<[Environment, string, boolean]>([
    [{}, "http://127.0.0.1:4020", true],
    [{}, "http://[::1]:4020", true],
    [{ PAYPORT_BASE_URL: "https://pay.example" }, "https://pay.example", false],
    [{ PAYPORT_HOST: "0.0.0.0" }, "http://127.0.0.1:4020", false],
    [{ PAYPORT_LOCAL_RECEIVERS: "on", PAYPORT_HOST: "0.0.0.0" }, "https://pay.example", true],
    [{ PAYPORT_LOCAL_RECEIVERS: "off" }, "http://127.0.0.1:4020", false],
  ])("with %j at %s receivers on this machine are accepted: %s", (environment, base, expected) => {
    expect(takesLocalReceivers(settingsOf(environment), base)).toBe(expected)
  })

  const live = { PAYPORT_MODE: "live", PAYPORT_MASTER_KEY: master, PAYPORT_ADMIN_KEY: admin }

  test.each<[string, Environment]>([
    ["PAYPORT_MASTER_KEY has to be set in live mode", { ...live, PAYPORT_MASTER_KEY: "" }],
    ["PAYPORT_ADMIN_KEY has to be set in live mode", { ...live, PAYPORT_ADMIN_KEY: "" }],
    [
      "PAYPORT_ADMIN_KEY has to be hard to guess",
      { ...live, PAYPORT_ADMIN_KEY: "0123456789abcdef" },
    ],
    ["PAYPORT_ADMIN_KEY has to be hard to guess", { ...live, PAYPORT_ADMIN_KEY: "a".repeat(64) }],
    [
      "PAYPORT_MASTER_KEY has to be random",
      { ...live, PAYPORT_MASTER_KEY: Buffer.alloc(32).toString("base64") },
    ],
    [
      "PAYPORT_DEMO_SELLER_KEY has to be unset in live mode",
      { ...live, PAYPORT_DEMO_SELLER_KEY: `sk_test_${token}` },
    ],
    [
      "PAYPORT_LOCAL_RECEIVERS has to be off or unset in live mode",
      { ...live, PAYPORT_LOCAL_RECEIVERS: "on" },
    ],
    ["PAYPORT_CHANNELS has to be set in live mode", live],
    ["PAYPORT_CHANNELS has to be unset in the sandbox", { PAYPORT_CHANNELS: "channels.json" }],
  ])("live mode: %s", (line, environment) => {
    expect(lineOf(environment)).toContain(line)
  })

  test("live mode on the embedded database is warned of", () => {
    const ready = { ...live, PAYPORT_CHANNELS: "channels.json", PAYPORT_DATA_DIR: "/var/lib/pay" }
    expect(embeddedInLive(settingsOf(ready))).toMatch(
      /^PAYPORT_DATABASE_URL .* in \/var\/lib\/pay\./,
    )
    const own = { ...ready, PAYPORT_DATABASE_URL: "postgresql://me@db/payport" }
    expect(embeddedInLive(settingsOf(own))).toBeUndefined()
    expect(embeddedInLive(settingsOf({}))).toBeUndefined()
  })

  test("live mode behind a proxy that is not named is warned of", () => {
    const hidden = {
      ...live,
      PAYPORT_CHANNELS: "channels.json",
      PAYPORT_DATABASE_URL: "postgresql://me@db/payport",
      PAYPORT_BASE_URL: "https://pay.example",
    }
    const [only = "", ...others] = doubtsAbout(settingsOf(hidden))
    expect(others).toEqual([])
    expect(only).toMatch(/^PAYPORT_TRUSTED_PROXIES is unset, though PAYPORT_BASE_URL is https:/)
    for (const said of [
      { PAYPORT_TRUSTED_PROXIES: "10.0.0.0/8" },
      { PAYPORT_BASE_URL: "http://pay.internal" },
      { PAYPORT_ROLES: "worker" },
      { PAYPORT_RATE_LIMITS: "off" },
    ]) {
      expect(proxyInLive(settingsOf({ ...hidden, ...said }))).toBeUndefined()
    }
    expect(proxyInLive(settingsOf({ PAYPORT_BASE_URL: "https://pay.example" }))).toBeUndefined()
  })

  test("a hold of returns is told of", () => {
    const told = (value: string) =>
      doubtsAbout(settingsOf({ PAYPORT_HOLD_RETURNS: value })).join("\n")
    expect(told("2026-11-22T21:59:59.123Z")).toMatch(
      /^PAYPORT_HOLD_RETURNS is set: money of payments created before 2026-11-22T21:59:59\.123Z/,
    )
    expect(told("pi_01939b3e-7c00-7000-8000-000000000001")).toContain("payments that it names (1)")
    expect(told("")).toBe("")
  })

  test("the master key is at one place", () => {
    const file = { PAYPORT_MASTER_KEY_FILE: "/run/secrets/master" }
    expect(settingsOf(file).master_key).toEqual({ from: "file", path: "/run/secrets/master" })
    const command = settingsOf({ PAYPORT_MASTER_KEY_COMMAND: "kms  --region one" })
    expect(command.master_key).toEqual({ from: "command", words: ["kms", "--region", "one"] })
    expect(lineOf({ ...file, PAYPORT_MASTER_KEY: master })).toBe(
      "Only one of PAYPORT_MASTER_KEY and PAYPORT_MASTER_KEY_FILE can be set.",
    )
  })

  test.each([
    ["PAYPORT_SMTP_FROM", { PAYPORT_SMTP_URL: "smtps://me:word@mail.example" }],
    ["PAYPORT_SMTP_URL", { PAYPORT_SMTP_FROM: "codes@example.com" }],
    ["PAYPORT_SMS_SECRET", { PAYPORT_SMS_URL: "https://sms.example/send" }],
    ["PAYPORT_SMS_URL", { PAYPORT_SMS_SECRET: "0123456789abcdef" }],
    ["PAYPORT_LANGUAGE_KEY", { PAYPORT_LANGUAGE_MODEL: "openai:a-model" }],
    ["PAYPORT_LANGUAGE_MODEL", { PAYPORT_LANGUAGE_KEY: "word" }],
    ["PAYPORT_LANGUAGE_MODEL", { PAYPORT_LANGUAGE_URL: "https://models.example/v1" }],
  ])("%s has to be set beside what needs it", (name, environment) => {
    expect(lineOf(environment)).toBe(
      `${name} has to be set where ${Object.keys(environment)[0]} is.`,
    )
  })

  test("of the language model are read together, with its provider's address", () => {
    const said = { PAYPORT_LANGUAGE_MODEL: "anthropic:a-model:1", PAYPORT_LANGUAGE_KEY: "word" }
    const { language_model } = settingsOf(said)
    expect(language_model).toMatchObject({ protocol: "anthropic", model: "a-model:1" })
    expect(JSON.stringify(language_model)).not.toMatch(/"word"|a-word/)
    const own = settingsOf({ ...said, PAYPORT_LANGUAGE_URL: "http://127.0.0.1:9/v1/" })
    expect(own.language_model?.url).toBe("http://127.0.0.1:9/v1")
  })

  test("of replicas are read with those of the database", () => {
    const { connection } = settingsOf({
      PAYPORT_DATABASE_URL: "postgresql://me:word@db.example/payport",
      PAYPORT_REPLICA_URL:
        "postgresql://me:word@one.example,two.example/payport, postgres://me:word@three.example",
      PAYPORT_REPLICA_LAG: "3",
    })
    expect(connection?.replicas).toMatchObject({
      servers: [
        { host: "one.example", otherServers: [{ host: "two.example" }], database: "payport" },
        { host: "three.example", username: "me" },
      ],
      longestLag: 3,
    })
    expect(JSON.stringify(connection)).not.toContain(`"word"`)
  })

  test.each([
    [{ PAYPORT_REPLICA_URL: "postgresql://me@db/payport" }, "PAYPORT_DATABASE_URL", "REPLICA_URL"],
    [
      { PAYPORT_DATABASE_URL: "postgresql://me@db/payport", PAYPORT_REPLICA_LAG: "3" },
      "PAYPORT_REPLICA_URL",
      "REPLICA_LAG",
    ],
  ])("of %o ask for %s", (environment, missing, given) => {
    expect(lineOf(environment)).toBe(`${missing} has to be set where PAYPORT_${given} is.`)
  })

  test("of carriers are read together, and shown to nobody", () => {
    const { carriers } = settingsOf({
      PAYPORT_SMTP_URL: "smtps://me:word@mail.example",
      PAYPORT_SMTP_FROM: "codes@example.com",
      PAYPORT_SMS_URL: "https://sms.example/send?key=word",
      PAYPORT_SMS_SECRET: "word-word-word-word",
    })
    expect(carriers.smtp?.from).toBe("codes@example.com")
    expect(Redacted.value(carriers.sms!.secret)).toBe("word-word-word-word")
    expect(JSON.stringify(carriers)).not.toMatch(/"word"|a-word/)
  })

  test("are all told by --help", () => {
    for (const name of [
      "MODE",
      "HOST",
      "PORT",
      "BASE_URL",
      "DATABASE_URL",
      "REPLICA_URL",
      "REPLICA_LAG",
      "DATA_DIR",
      "MASTER_KEY",
      "MASTER_KEY_FILE",
      "MASTER_KEY_COMMAND",
      "NEXT_MASTER_KEY",
      "ADMIN_KEY",
      "ADMIN_PORT",
      "ADMIN_HOST",
      "OPERATORS",
      "DEMO_SELLER_KEY",
      "DEMO_BUYER_KEY",
      "HOLD_RETURNS",
      "REVOCATION_RETENTION_DAYS",
      "EVENT_RETENTION_DAYS",
      "DELIVERY_RETENTION_DAYS",
      "CHANNEL_REQUEST_RETENTION_DAYS",
      "CALLBACK_RETENTION_DAYS",
      "REPLY_RETENTION_DAYS",
      "UNPAID_RETENTION_DAYS",
      "ROLES",
      "SMTP_URL",
      "SMTP_FROM",
      "SMS_URL",
      "SMS_SECRET",
      "RATES_URL",
      "LOCAL_RECEIVERS",
      "CHANNELS",
    ]) {
      expect(help).toContain(`PAYPORT_${name} `)
    }
  })
})
