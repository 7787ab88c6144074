import type { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import { readFile } from "node:fs/promises"
import { type ConnectionOptions, getCACertificates } from "node:tls"
import type { ConnectionSettings, TlsSettings } from "./ConnectionSettings.ts"
import { DatabaseUnusable } from "./DatabaseUnusable.ts"

type Ssl = NonNullable<PgConnection.Config["ssl"]>

const read = (parameter: string, path: string) =>
  Effect.tryPromise({
    try: () => readFile(path, "utf8"),
    catch: (cause) =>
      new DatabaseUnusable({
        message:
          `The file ${path}, which ${parameter} of the database's URL names, cannot be read:` +
          ` ${cause instanceof Error ? cause.message : String(cause)}.`,
      }),
  })

const authorities = Effect.fnUntraced(function* ({ mode, rootCertificate }: TlsSettings) {
  const isVerified = mode === "verify-ca" || mode === "verify-full"
  if (!isVerified || rootCertificate === undefined) return { rejectUnauthorized: isVerified }
  const ca =
    rootCertificate === "system"
      ? getCACertificates("system")
      : yield* read("sslrootcert", rootCertificate)
  const isAnyHost = mode === "verify-ca"
  return {
    rejectUnauthorized: true,
    ca,
    ...(isAnyHost ? { checkServerIdentity: () => undefined } : {}),
  } satisfies ConnectionOptions
})

const identity = Effect.fnUntraced(function* ({ certificate, key }: TlsSettings) {
  if (certificate === undefined || key === undefined) return {}
  return { cert: yield* read("sslcert", certificate), key: yield* read("sslkey", key) }
})

/**
 * Returns the TLS settings of the database's sessions. Reads the files that the settings name once.
 */
export const sslOf: (settings: ConnectionSettings) => Effect.Effect<Ssl, DatabaseUnusable> =
  Effect.fnUntraced(function* ({ tls }) {
    if (tls === undefined || tls.mode === "disable") return false
    return { ...(yield* authorities(tls)), ...(yield* identity(tls)) }
  })
