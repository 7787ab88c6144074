import { Effect, Redacted, Result, Schema } from "effect"
import { unwrap } from "../../../adapters/crypto/keyRing.ts"
import type {
  ConnectionSettings,
  ServerPlace,
} from "../../../adapters/postgres/ConnectionSettings.ts"
import {
  findEmbeddedPostgres,
  hiddenEmbeddedPostgres,
} from "../../../adapters/postgres/embedded/findEmbeddedPostgres.ts"
import {
  inspectDatabase,
  inspectServers,
  type Inspection,
} from "../../../adapters/postgres/inspectDatabase.ts"
import { inspectReplicas } from "../../../adapters/postgres/replicas/inspectReplicas.ts"
import { STEPS } from "../../../adapters/postgres/schema.ts"
import { defaultCatalog } from "../../../core/channels/Catalog.ts"
import { KeyRing, ROOT } from "../../../core/secrets/KeyRing.ts"
import { findMasterKey } from "../secrets.ts"
import { StartFailure } from "../StartFailure.ts"
import { readChannels } from "../channelsFile.ts"
import { misspelt } from "../misspelt.ts"
import type { Output } from "../Output.ts"
import { doubtsAbout, readSettings, type Settings } from "../settings.ts"
import {
  failed,
  type Finding,
  judgeAudit,
  judgeBacklog,
  judgeCertificate,
  judgeClock,
  judgeKeys,
  judgeMigrations,
  judgeReplica,
  judgeRights,
  judgeServer,
  judgeStanding,
  judgeTriggers,
  ok,
  skipped,
  stateOfAll,
  textOf,
  warning,
} from "./Finding.ts"
import { lookAtFiles } from "./lookAtFiles.ts"
import { certificateOf, certificateOfDatabase } from "./lookAtCertificate.ts"

const connectionOf = ({ connection, data_dir }: Settings) =>
  connection === undefined
    ? Effect.promise<ConnectionSettings | undefined>(() => findEmbeddedPostgres(data_dir))
    : Effect.succeed(connection)

const NOT_RUNNING = "The embedded PostgreSQL is not running: it only runs while the service runs."

/** Why the embedded database was not examined. */
const notRunning = ({ data_dir }: Settings) =>
  Effect.map(
    Effect.promise(() => hiddenEmbeddedPostgres(data_dir)),
    (pid) =>
      pid === undefined
        ? skipped("database", NOT_RUNNING)
        : warning(
            "database",
            `The embedded PostgreSQL was not examined: postmaster.pid in ${data_dir} names the ` +
              `process ${pid}, which is none of its own here.`,
            "If the service runs in a container, run doctor in that container. Otherwise the " +
              "service was killed, and its next start takes the database over.",
          ),
  )

const decodeRing = Schema.decodeUnknownEffect(KeyRing)

/** Checks the mode and the master key against the database's key ring. */
const examineKeys = Effect.fnUntraced(
  function* (settings: Settings, { applied, readable, ring: stored }: Inspection) {
    const { mode } = settings
    if (applied.length > 0 && !readable) return skipped("keys", "The key ring could not be read.")
    const ring = stored === undefined ? undefined : yield* decodeRing(stored)
    const master = yield* findMasterKey(settings)
    const found = judgeKeys(ring, { mode, master: master?.id })
    if (ring === undefined || master === undefined || found.state === "failed") return found
    yield* unwrap(master, ROOT, ring.root)
    return found
  },
  Effect.catch(({ message }) =>
    Effect.succeed(failed("keys", message, "A start with these settings is refused.")),
  ),
)

/** Checks the database. */
const examineDatabase = Effect.fnUntraced(function* (settings: Settings) {
  const connection = yield* connectionOf(settings)
  if (connection === undefined) return [yield* notRunning(settings)]
  const now = Date.now()
  const found = yield* Effect.result(inspectDatabase({ ...connection, ...settings.database }, now))
  if (Result.isFailure(found)) return [failed("database", found.failure.message)]
  const inspection = found.success
  const isOneOfMany = (connection.otherServers ?? []).length > 0
  const servers = isOneOfMany ? yield* Effect.result(inspectServers(connection)) : undefined
  const standings = servers !== undefined && Result.isSuccess(servers) ? servers.success : []
  const isReadApart = connection.replicas !== undefined
  const replicas = isReadApart ? yield* Effect.result(inspectReplicas(connection)) : undefined
  const followers = replicas !== undefined && Result.isSuccess(replicas) ? replicas.success : []
  return [
    judgeServer(inspection),
    ...standings.map(judgeStanding),
    ...followers.map(judgeReplica),
    judgeClock(inspection.offset),
    judgeRights(inspection, settings.mode),
    judgeTriggers(inspection),
    judgeAudit(inspection),
    judgeMigrations(
      inspection,
      STEPS.map(({ id }) => id),
    ),
    yield* examineKeys(settings, inspection),
    judgeBacklog(inspection, now),
  ]
})

/** Returns the servers whose certificates the service or its callers verify. */
const serversOf = Effect.fnUntraced(function* (settings: Settings) {
  const { base_url, carriers, channels, language_model, observe, rates_url } = settings
  const gateways = channels === undefined ? [] : yield* readChannels(channels, defaultCatalog)
  const hidden = [rates_url, carriers.sms?.url].map((url) => url && Redacted.value(url))
  const urls = [base_url, language_model?.url, observe.otlp?.endpoint, ...hidden]
  const all = [...urls, ...gateways.map((gateway) => gateway.base_url)]
  const https = all.flatMap((url) => (url?.startsWith("https:") ? [new URL(url)] : []))
  return [...new Map(https.map((url) => [url.host, url])).values()]
})

/** Returns the servers of PostgreSQL that show a certificate: primaries, and those that follow. */
const databasesOf = ({ connection }: Settings): ReadonlyArray<ServerPlace> => {
  const { direct, replicas } = connection ?? {}
  const all = [connection, direct, ...(replicas?.servers ?? [])].flatMap((one) => one ?? [])
  const places = all.flatMap(({ host = "", otherServers = [], port = 5_432, tls }) => {
    const hasTls = tls !== undefined && !["disable", "prefer"].includes(tls.mode)
    return hasTls ? [{ host, port }, ...otherServers] : []
  })
  const reached = places.filter(({ host }) => !host.startsWith("/"))
  return [...new Map(reached.map((place) => [`${place.host}:${place.port}`, place])).values()]
}

const examineCertificates = Effect.fnUntraced(function* (settings: Settings) {
  const own = databasesOf(settings).map(certificateOfDatabase)
  const looks = [...(yield* serversOf(settings)).map(certificateOf), ...own]
  const found = yield* Effect.all(looks, { concurrency: "unbounded" })
  if (found.length === 0) return [skipped("certificates", "No setting names a server with one.")]
  return found.map((certificate) => judgeCertificate(certificate, Date.now()))
})

const examine = Effect.gen(function* () {
  const settings = yield* readSettings
  const { mode, roles } = settings
  const read = ok("settings", `They can be read: ${mode}, ${[...roles].join(" and ")}.`)
  const looks = [lookAtFiles(settings), examineDatabase(settings), examineCertificates(settings)]
  const found = yield* Effect.all(looks, { concurrency: "unbounded" })
  const doubts = [...misspelt(process.env), ...doubtsAbout(settings)]
  const odd = doubts.map((line) => warning("settings", line))
  return [read, ...odd, ...found.flat()]
}).pipe(
  Effect.catchTag("StartFailure", ({ message }): Effect.Effect<ReadonlyArray<Finding>> =>
    Effect.succeed([failed("settings", message)]),
  ),
)

/**
 * Checks the settings, the database and the certificates that the service depends on, without
 * changing anything, and prints the findings, for people or as JSON. Fails if any check failed.
 */
export const doctor = Effect.fnUntraced(function* ({ result, say }: Output) {
  const findings: ReadonlyArray<Finding> = yield* examine
  const state = stateOfAll(findings)
  yield* say(textOf(findings))
  yield* result({ state, findings })
  if (state !== "failed") return
  const count = findings.filter((finding) => finding.state === "failed").length
  const message = `${count} of ${findings.length} checks of doctor failed.`
  return yield* new StartFailure({ message })
})
