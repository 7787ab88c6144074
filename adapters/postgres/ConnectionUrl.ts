import { Redacted, Result } from "effect"
import type {
  ConnectionSettings,
  ServerPlace,
  TargetSession,
  TlsMode,
  TlsSettings,
} from "./ConnectionSettings.ts"

/** The parameters of a libpq URL, each with the environment variable that replaces it. */
const PARAMETERS = {
  host: "PGHOST",
  port: "PGPORT",
  dbname: "PGDATABASE",
  user: "PGUSER",
  password: "PGPASSWORD",
  application_name: "PGAPPNAME",
  options: "PGOPTIONS",
  connect_timeout: "PGCONNECT_TIMEOUT",
  target_session_attrs: "PGTARGETSESSIONATTRS",
  sslmode: "PGSSLMODE",
  sslrootcert: "PGSSLROOTCERT",
  sslcert: "PGSSLCERT",
  sslkey: "PGSSLKEY",
  channel_binding: "PGCHANNELBINDING",
} as const

type Parameter = keyof typeof PARAMETERS
type Parameters = { readonly [P in Parameter]?: string }

/** The environment variables that replace missing parts of a URL. */
export const PG_VARIABLES: ReadonlyArray<string> = Object.values(PARAMETERS)

/** A parsed value, or the flaw of the URL, to follow its variable's name. Never quotes a login. */
type Parsed<A> = Result.Result<A, string>

const isParameter = (name: string): name is Parameter => Object.hasOwn(PARAMETERS, name)

const decode = (text: string): Parsed<string> =>
  Result.try({
    try: () => decodeURIComponent(text),
    catch: () => "has a percent sign that encodes nothing: write a percent sign as %25",
  })

const LOGIN = String.raw`(?:(?<user>[^/?#@:]*)(?::(?<password>[^/?#@]*))?@)?`
const REST = String.raw`(?<places>[^/?#@]*)(?:/(?<dbname>[^?#/@]*))?(?:\?(?<query>[^#]*))?`
const SHAPE = new RegExp(`^postgres(?:ql)?://${LOGIN}${REST}$`, "i")

/** `host:port`. Both may be missing. An IPv6 address stands in brackets. */
const PLACE = /^(?<host>\[[0-9A-Fa-f:.%]+\]|[^:[\]]*)(?::(?<port>\d*))?$/

const placesOf = (text: string): Parsed<Parameters> => {
  if (text === "") return Result.succeed({})
  const found = text.split(",").map((place) => PLACE.exec(place)?.groups)
  if (found.includes(undefined)) {
    return Result.fail("has to name its servers as host:port, with commas between several")
  }
  const bare = found.map((place) => (place?.["host"] ?? "").replace(/^\[(.*)\]$/, "$1"))
  const ports = found.map((place) => place?.["port"] ?? "")
  return Result.succeed({
    ...(bare.every((host) => host === "") ? {} : { host: bare.join() }),
    ...(ports.every((port) => port === "") ? {} : { port: ports.join() }),
  })
}

const queryOf = (query: string): Parsed<Parameters> => {
  const said: { [P in Parameter]?: string } = {}
  for (const part of query.split("&").filter((text) => text !== "")) {
    const [name = "", value = "", ...more] = part.split("=")
    if (!isParameter(name) || more.length > 0) {
      const known = Object.keys(PARAMETERS).join(", ")
      return Result.fail(`has a parameter that payport does not support; it supports ${known}`)
    }
    said[name] = value
  }
  return Result.succeed(said)
}

const decodeAll = (said: Parameters): Parsed<Parameters> =>
  Result.map(
    Result.all(
      Object.entries(said).map(([name, text]) =>
        Result.map(decode(text), (value) => [name, value] as const),
      ),
    ),
    (pairs) => Object.fromEntries(pairs),
  )

/** Reads a URL's parameters by libpq's names. The query string overrides the parts before it. */
const parametersOf = (url: string): Parsed<Parameters> =>
  Result.gen(function* () {
    const groups = SHAPE.exec(url)?.groups
    if (groups === undefined) {
      return yield* Result.fail(
        "has to be a URL such as postgresql://user:password@host:5432/database, in which" +
          " / ? # @ and % of a password are percent-encoded",
      )
    }
    const front = { user: groups["user"], password: groups["password"], dbname: groups["dbname"] }
    const given = Object.fromEntries(Object.entries(front).filter(([, text]) => text))
    const places = yield* placesOf(groups["places"] ?? "")
    return yield* decodeAll({ ...given, ...places, ...(yield* queryOf(groups["query"] ?? "")) })
  })

const serversOf = ({
  host = "localhost",
  port = "",
}: Parameters): Parsed<ReadonlyArray<ServerPlace>> => {
  const hosts = host.split(",")
  const ports = port.split(",")
  if (ports.length > 1 && ports.length !== hosts.length) {
    return Result.fail("has to give one port, or as many as there are hosts")
  }
  const servers = hosts.map((name, index) => ({
    host: name || "localhost",
    port: Number(ports[ports.length === 1 ? 0 : index] || 5432),
  }))
  const isRight = servers.every(
    (server) => Number.isInteger(server.port) && server.port >= 1 && server.port <= 65_535,
  )
  return isRight
    ? Result.succeed(servers)
    : Result.fail("has an invalid port: ports are 1 to 65535")
}

const MODES: { readonly [mode: string]: TlsMode } = {
  disable: "disable",
  // `allow` permits encryption, so trying encryption first is safe.
  allow: "prefer",
  prefer: "prefer",
  require: "require",
  "verify-ca": "verify-ca",
  "verify-full": "verify-full",
}

const tlsOf = (said: Parameters): Parsed<TlsSettings> => {
  const { sslcert, sslkey, sslrootcert } = said
  const isSystem = sslrootcert === "system"
  const mode = MODES[said.sslmode ?? (isSystem ? "verify-full" : "prefer")]
  if (mode === undefined)
    return Result.fail(`has to have an sslmode of ${Object.keys(MODES).join(", ")}`)
  if (isSystem && mode !== "verify-full") {
    return Result.fail(
      "has to have sslmode=verify-full where sslrootcert is system, as libpq has it",
    )
  }
  if (mode.startsWith("verify") && sslrootcert === undefined) {
    return Result.fail(
      `has to have sslrootcert beside sslmode=${mode}: the path of the authority's certificate,` +
        " or system for those that the machine trusts (with verify-full)",
    )
  }
  if ((sslcert === undefined) !== (sslkey === undefined)) {
    return Result.fail("has to have both sslcert and sslkey, or neither")
  }
  if (said.channel_binding === "require") {
    return Result.fail(
      "has channel_binding=require, which payport does not support: leave it out, and use" +
        " sslmode=verify-full against a server in the middle",
    )
  }
  return Result.succeed({
    // With a root certificate, libpq treats `require` as `verify-ca`, too.
    mode: mode === "require" && sslrootcert !== undefined ? "verify-ca" : mode,
    ...(sslrootcert === undefined ? {} : { rootCertificate: sslrootcert }),
    ...(sslcert === undefined ? {} : { certificate: sslcert }),
    ...(sslkey === undefined ? {} : { key: sslkey }),
  })
}

const targetOf = (said: Parameters, servers: number): Parsed<TargetSession> => {
  const wanted = said.target_session_attrs ?? (servers > 1 ? "read-write" : "any")
  if (wanted === "any") return Result.succeed("any")
  return wanted === "read-write" || wanted === "primary"
    ? Result.succeed("read-write")
    : Result.fail("has to have target_session_attrs of any, read-write or primary: payport writes")
}

const timeoutOf = ({ connect_timeout }: Parameters): Parsed<number | undefined> => {
  if (connect_timeout === undefined) return Result.succeed(undefined)
  return /^\d{1,3}$/.test(connect_timeout) && Number(connect_timeout) > 0
    ? Result.succeed(Number(connect_timeout))
    : Result.fail("has to have a connect_timeout from 1 to 999 seconds")
}

const settingsOf = (said: Parameters): Parsed<ConnectionSettings> =>
  Result.gen(function* () {
    const [first, ...otherServers] = yield* serversOf(said)
    if (said.user === undefined) {
      return yield* Result.fail("has to name the user: postgresql://user:password@host/database")
    }
    const connectTimeout = yield* timeoutOf(said)
    const targetSession = yield* targetOf(said, otherServers.length + 1)
    return {
      ...first,
      ...(otherServers.length === 0 ? {} : { otherServers }),
      targetSession,
      username: said.user,
      // The default name of the database is the name of the user.
      database: said.dbname ?? said.user,
      ...(said.password === undefined ? {} : { password: Redacted.make(said.password) }),
      tls: yield* tlsOf(said),
      ...(said.options === undefined ? {} : { startupOptions: said.options }),
      ...(said.application_name === undefined ? {} : { applicationName: said.application_name }),
      ...(connectTimeout === undefined ? {} : { connectTimeout }),
    }
  })

/**
 * Reads the connection settings from a libpq URL. Missing parts come from the PG* variables, then
 * from libpq's defaults. The user has no default. Fails with what is wrong and what to write
 * instead, as the end of a sentence that begins with the name of the setting.
 */
export const connectionOf = (
  url: string,
  environment: { readonly [variable: string]: string | undefined } = {},
): Parsed<ConnectionSettings> =>
  Result.flatMap(parametersOf(url), (said) => {
    const unsaid = Object.entries(PARAMETERS).flatMap(([name, variable]) => {
      const value = environment[variable]
      return value === undefined || value === "" ? [] : [[name, value] as const]
    })
    return settingsOf({ ...Object.fromEntries(unsaid), ...said })
  })
