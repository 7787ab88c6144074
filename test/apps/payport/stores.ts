import { Effect, Exit, Redacted, Scope } from "effect"
import { randomBytes } from "node:crypto"
import { memory } from "../../../apps/payport/memory.ts"
import { postgres } from "../../../apps/payport/postgres.ts"
import { copyOf, type TestDatabase, testDatabase } from "../../support/postgres.ts"

const urlOf = ({ database, host, password, port, username = "" }: TestDatabase): string => {
  const secret = Redacted.value(password ?? Redacted.make(""))
  const place = new URLSearchParams({ host, port: String(port), user: username, password: secret })
  return `postgresql:///${database}?${place.toString().replaceAll("+", "%20")}`
}

interface Database {
  readonly options: (schema?: string) => {
    readonly store: ReturnType<typeof postgres>
    readonly secrets: { readonly masterKey: Uint8Array }
  }
  /** Makes a copy, while no payport is open on it. */
  readonly copy: () => Promise<Database>
  readonly drop: () => Promise<void>
}

/** A separate database with the options of a payport on it; `drop` removes it. */
export const aDatabase = async (
  kind = testDatabase,
  masterKey: Uint8Array = randomBytes(32),
): Promise<Database> => {
  const scope = Scope.makeUnsafe()
  const database = await Effect.runPromise(Scope.provide(kind, scope))
  const secrets = { masterKey }
  return {
    copy: () => aDatabase(copyOf(database), masterKey),
    options: (schema?: string) => ({
      store: postgres({ url: urlOf(database), ...(schema !== undefined && { schema }) }),
      secrets,
    }),
    drop: () => Effect.runPromise(Scope.close(scope, Exit.void)),
  }
}

/** Both stores; a test takes options for one payport of each. */
export const STORES = [
  ["memory", () => Promise.resolve({ options: () => ({ store: memory() }), drop: async () => {} })],
  ["PostgreSQL", aDatabase],
] as const
