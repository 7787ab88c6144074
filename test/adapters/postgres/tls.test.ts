import { layer } from "@effect/vitest"
import { PgConnection } from "@effect/sql-pg"
import { Context, Effect, Layer, Redacted, Result, Schedule } from "effect"
import { chownSync, writeFileSync } from "node:fs"
import { chmod, mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect } from "vitest"
import { connectionOf } from "../../../adapters/postgres/ConnectionUrl.ts"
import { findBinaries, prepareBinaries } from "../../../adapters/postgres/embedded/binaries.ts"
import { openCluster } from "../../../adapters/postgres/embedded/cluster.ts"
import { defaultSettings } from "../../../adapters/postgres/embedded/serverSettings.ts"
import { findServerUser } from "../../../adapters/postgres/embedded/serverUser.ts"
import { type ServerPlan, startServer } from "../../../adapters/postgres/embedded/startServer.ts"
import { stopServer } from "../../../adapters/postgres/embedded/stopServer.ts"
import * as PostgresStore from "../../../adapters/postgres/PostgresStore.ts"
import { makeCertificate } from "../../support/certificates.ts"
import { freePort } from "../../support/freePort.ts"
import { prepareFolder } from "../../support/preparedFolder.ts"

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(async () => {
    const path = await mkdtemp(join(await realpath(tmpdir()), "payport-tls-"))
    await chmod(path, 0o711)
    return path
  }),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true, maxRetries: 10 })),
)

/** Rules for client certificates and for logins without TLS. */
const RULES = `hostssl all payport_client all scram-sha-256 clientcert=verify-ca
hostssl all postgres all scram-sha-256
`

/** A server whose certificate is for `localhost`, and the files for its clients. */
class Secure extends Context.Service<
  Secure,
  {
    readonly plain: (user: string, query: string) => string
    readonly url: (host: string, user: string, query: string) => string
    readonly file: (name: string) => string
  }
>()("payport/test/Secure") {}

const makeSecure = Effect.gen(function* () {
  const folder = yield* temporaryFolder
  prepareFolder(folder)
  const user = yield* findServerUser(folder, join(folder, "postgres"))
  const binaries = yield* prepareBinaries(yield* findBinaries(), user)
  const cluster = yield* openCluster(folder, binaries, user)
  const file = (name: string) => join(folder, name)
  const write = (path: string, text: string) => {
    writeFileSync(path, text, { mode: 0o600 })
    if (user !== undefined) chownSync(path, user.uid, user.gid)
  }
  const authority = makeCertificate("an authority")
  const server = makeCertificate("a server", { authority, hosts: ["localhost"] })
  const client = makeCertificate("a client", { authority, hosts: [] })
  write(file("authority.pem"), authority.cert)
  write(file("other.pem"), makeCertificate("another authority").cert)
  write(file("server.pem"), server.cert)
  write(file("server.key"), server.key)
  write(file("client.pem"), client.cert)
  write(file("client.key"), client.key)
  write(join(cluster.data, "pg_hba.conf"), RULES)
  const start = Effect.fnUntraced(function* (home: typeof cluster, more: object) {
    const port = yield* Effect.promise(freePort)
    const address = { kind: "loopback", host: "127.0.0.1", port } as const
    const plan: ServerPlan = {
      folder,
      cluster: home,
      binaries,
      user,
      settings: { ...defaultSettings, fsync: "off", ...more },
      startLimit: "1 minute",
      stopLimit: "5 seconds",
    }
    yield* Effect.acquireRelease(startServer(plan, address), (pid) =>
      stopServer(binaries, home.data, pid, plan.stopLimit),
    )
    return address.port
  })
  const port = yield* start(cluster, {
    ssl: "on",
    ssl_cert_file: file("server.pem"),
    ssl_key_file: file("server.key"),
    ssl_ca_file: file("authority.pem"),
  })
  const bare = yield* temporaryFolder
  prepareFolder(bare)
  const plainCluster = yield* openCluster(bare, binaries, user)
  const plainPort = yield* start(plainCluster, {})
  const urlAt = (at: number, password: string) => (host: string, role: string, query: string) =>
    `postgresql://${role}:${password}@${host}:${at}/postgres?${query}`
  const url = urlAt(port, cluster.password)
  const login = Result.getOrThrow(connectionOf(url("localhost", "postgres", "sslmode=require")))
  const { database = "", host = "", password = Redacted.make(""), username = "" } = login
  const ssl = { rejectUnauthorized: false }
  const admin = yield* PgConnection.make({ host, port, database, username, password, ssl })
  yield* admin.query(`CREATE ROLE payport_client SUPERUSER LOGIN PASSWORD '${cluster.password}'`)
  const plain = (role: string, query: string) =>
    urlAt(plainPort, plainCluster.password)("127.0.0.1", role, query)
  return { plain, url, file }
})

const secure = Layer.effect(Secure, makeSecure)

/** Whether every session of a store opened by the URL is encrypted; otherwise the reason. */
const encrypted = (url: string) =>
  Effect.gen(function* () {
    const settings = Result.getOrThrow(connectionOf(url))
    const name = `tls ${Math.random()}`
    yield* Layer.build(PostgresStore.layer({ ...settings, applicationName: name }))
    const tls = url.includes("sslmode=disable") ? {} : { ssl: { rejectUnauthorized: false } }
    const { database = "", otherServers, password = Redacted.make("") } = settings
    const { host = "", port = 0 } = otherServers?.[0] ?? settings
    const asAdmin = { host, port, database, username: "postgres", password }
    const admin = yield* Effect.catchTag(
      PgConnection.make({ ...asAdmin, ...tls }),
      "SqlError",
      () => PgConnection.make(asAdmin),
    )
    const look = admin.query(
      `SELECT bool_and(ssl) AS ssl, count(*)::int > 1 AS several FROM pg_stat_ssl
      JOIN pg_stat_activity USING (pid) WHERE application_name = $1`,
      [name],
    )
    // Pools open their sessions one by one, in the background.
    const { rows } = yield* Effect.repeat(look, {
      until: ({ rows: [row] }) => row?.["several"] === true,
      schedule: Schedule.spaced("20 millis"),
    })
    return rows[0]?.["ssl"] === true ? "encrypted" : "plain"
  }).pipe(
    Effect.catchTag("DatabaseUnusable", ({ message }) => Effect.succeed(message)),
    Effect.scoped,
  )

describe("a session with the database", () => {
  layer(secure, { timeout: "60 seconds", excludeTestServices: true })((it) => {
    const modes = [
      ["postgres", "localhost", "", "encrypted"],
      ["postgres", "localhost", "sslmode=require", "encrypted"],
      ["postgres", "localhost", "sslmode=disable", /pg_hba\.conf/],
      ["postgres", "localhost", "sslmode=verify-full&sslrootcert=authority.pem", "encrypted"],
      ["postgres", "%2Fnowhere,localhost", "sslmode=require", "encrypted"],
      [
        "postgres",
        "127.0.0.1",
        "sslmode=verify-full&sslrootcert=authority.pem",
        /does not verify its certificate/,
      ],
      ["postgres", "127.0.0.1", "sslmode=verify-ca&sslrootcert=authority.pem", "encrypted"],
      [
        "postgres",
        "localhost",
        "sslmode=verify-ca&sslrootcert=other.pem",
        /does not verify its certificate/,
      ],
      ["postgres", "localhost", "sslrootcert=system", /does not verify its certificate/],
      ["postgres", "localhost", "sslmode=verify-ca&sslrootcert=nowhere.pem", /cannot be read/],
      ["payport_client", "localhost", "sslmode=require", /certificate/],
      ["payport_client", "localhost", "sslcert=client.pem&sslkey=client.key", "encrypted"],
    ] as const
    for (const [user, host, query, wanted] of modes) {
      it.effect(`as ${user} at ${host} with ${query || "nothing said"}`, () =>
        Effect.gen(function* () {
          const { file, url } = yield* Secure
          const said = query.replaceAll(
            /=(\w+\.(?:pem|key))/g,
            (_, name: string) => `=${file(name)}`,
          )
          const found = yield* encrypted(url(host, user, said))
          if (typeof wanted === "string") expect(found).toBe(wanted)
          else expect(found).toMatch(wanted)
        }),
      )
    }

    it.effect("is plain where a server has no TLS, unless it is required", () =>
      Effect.gen(function* () {
        const { plain } = yield* Secure
        expect(yield* encrypted(plain("postgres", ""))).toBe("plain")
        expect(yield* encrypted(plain("postgres", "sslmode=require"))).toContain("has no TLS")
      }),
    )
  })
})
