import { Data } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { ConnectionSettings } from "./ConnectionSettings.ts"
import { databaseError } from "./failures.ts"

/** The database could not be used when the service started. The message says what to check. */
export class DatabaseUnusable extends Data.TaggedError("DatabaseUnusable")<{
  readonly message: string
}> {}

/** How to change the tables as their owner, in each way that payport runs. */
export const MIGRATE =
  "`payport migrate` (in a clone `node apps/server/main.ts migrate`) with PAYPORT_MIGRATION_URL," +
  " or embedded postgres({ url, migrationUrl }): the URL of the owner"

/** The settings of a database. Nothing is known about the place that a host's pool leads to. */
type Place = ConnectionSettings | { readonly pool: object; readonly direct?: ConnectionSettings }

/** Returns `at host:port/database`, with commas between several servers and without a login. */
export const placeOf = (settings: Place): string => {
  if ("pool" in settings) return "of the pool"
  const { database, host = "localhost", otherServers = [], port = 5432 } = settings
  const servers = [{ host, port }, ...otherServers].map((server) => `${server.host}:${server.port}`)
  return `at ${servers.join()}${database === undefined ? "" : `/${database}`}`
}

type Reason = (settings: ConnectionSettings, said: string) => string

/** The role's name in a sentence. A host's pool does not tell it. */
const roleOf = ({ username }: ConnectionSettings): string =>
  username === undefined ? "the pool's role" : `the role ${username}`

/** A name in a statement, or the place for it. */
const orDots = (name: string | undefined): string => name ?? "…"

const notThere: Reason = () =>
  "no server listens there. Start PostgreSQL, or correct the host and the port"

const noAnswer: Reason = () => "it does not answer. Check the host, the network and its firewalls"

const noHost: Reason = ({ host }) =>
  `${host === undefined ? "its host" : `the host ${host}`} was not found. Correct its name, or` +
  " check DNS"

const wrongLogin: Reason = (settings) =>
  `${roleOf(settings)} does not exist, or has another password. Correct user and password, or` +
  ` create the role with CREATE ROLE ${orDots(settings.username)} LOGIN PASSWORD …`

const noTables: Reason = (settings) =>
  `${roleOf(settings)} finds there no tables of payport, or those of another version. Start` +
  ` payport on it, or use ${MIGRATE}`

const unverified: Reason = (_, said) =>
  `sslrootcert does not verify its certificate (${said}). Set sslrootcert to the right authority,` +
  " or use the host name of the certificate"

/** The cause and the remedy of each failure, by SQLSTATE or by Node's error code. */
const REASONS: { readonly [code: string]: Reason } = {
  ECONNREFUSED: notThere,
  ENOENT: notThere,
  ENOTFOUND: noHost,
  EAI_AGAIN: noHost,
  ETIMEDOUT: noAnswer,
  EHOSTUNREACH: noAnswer,
  ENETUNREACH: noAnswer,
  NO_ANSWER: noAnswer,
  "28P01": wrongLogin,
  "28000": (_, said) => `${said}. Check pg_hba.conf, and that the role has LOGIN`,
  "3D000": ({ database }) => {
    const isNamed = database !== undefined
    const what = isNamed ? `there is no database ${database}` : "its database is not there"
    return `${what}. Create it with CREATE DATABASE ${orDots(database)} OWNER …, or name another`
  },
  "3F000": () =>
    "the search path names no existing schema. Create one with CREATE SCHEMA … AUTHORIZATION …",
  "42P01": noTables,
  "42703": noTables,
  "42P07": () =>
    "its schema has tables of another program with the names of payport's. Give payport a schema" +
    " of its own: ALTER ROLE … SET search_path, or options=-csearch_path%3Dpayport in the URL",
  "42501": (settings, said) =>
    `${roleOf(settings)} lacks a privilege (${said}). Grant it, or use ${MIGRATE}`,
  "53300": (settings, said) =>
    `it has no connection left for ${roleOf(settings)} (${said}). Raise max_connections or the` +
    " role's limit, or lower PAYPORT_READ_CONNECTIONS and PAYPORT_WORK_CONNECTIONS",
  "57P03": () => "it is starting, stopping or recovering. Start payport again in a moment",
  "25006": () =>
    "it is a replica, or accepts no writes. Name the primary, or all servers separated by commas",
  "55P03": () =>
    "another session holds a lock on its tables. Find it in pg_locks, end it, and try again",
  DEPTH_ZERO_SELF_SIGNED_CERT: unverified,
  SELF_SIGNED_CERT_IN_CHAIN: unverified,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unverified,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unverified,
  CERT_HAS_EXPIRED: unverified,
  ERR_TLS_CERT_ALTNAME_INVALID: unverified,
}

const unknown: Reason = (_, said) =>
  said === "The server does not support TLS"
    ? "its server has no TLS. Turn ssl on there, or use sslmode=disable in a network of your own"
    : `${said}. Check that it runs there, and its address, name, user and password`

/** Turns a failure to start into one line with the place, the reason and the remedy. */
export const unusable =
  (settings: Place) =>
  (error: SqlError): DatabaseUnusable => {
    const { code, message } = databaseError(error)
    const reason = (REASONS[code ?? ""] ?? unknown)(
      "pool" in settings ? {} : settings,
      message.replace(/\.$/, ""),
    )
    return new DatabaseUnusable({
      message: `The PostgreSQL database ${placeOf(settings)} cannot be used: ${reason}${
        code === undefined ? "" : ` [${code}]`
      }.`,
    })
  }

/** The oldest version of PostgreSQL that payport runs on. */
const OLDEST = 15

/** Returns why a server with this `server_version_num` cannot be used; undefined if it can. */
export const refusalOfVersion = (version: number): DatabaseUnusable | undefined =>
  version >= OLDEST * 10_000
    ? undefined
    : new DatabaseUnusable({
        message:
          `The database's server is PostgreSQL ${Math.floor(version / 10_000)}, but payport` +
          ` needs ${OLDEST} or later. Move the database to a newer server, or leave` +
          " PAYPORT_DATABASE_URL unset to use the embedded one.",
      })
