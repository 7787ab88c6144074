import { Effect, Layer, Result } from "effect"
import { connectionOf } from "../../adapters/postgres/ConnectionUrl.ts"
import * as PostgresStore from "../../adapters/postgres/PostgresStore.ts"
import { guardedStore } from "../../core/work/guardedStore.ts"
import { PayportOptionsError, StoreOption } from "./PayportOptions.ts"

/** A PostgreSQL database, 15 or later. */
export interface PostgresOptions {
  /**
   * `postgresql://user:password@host:5432/database?sslmode=verify-full&sslrootcert=system`. The
   * tables are made at the first start, and brought up to date at later ones, by the role that owns
   * them.
   */
  readonly url: string
  /** The same database by the role that owns the tables, where that of `url` does not. */
  readonly migrationUrl?: string
}

const NAMES: ReadonlyArray<string> = ["url", "migrationUrl"] satisfies Array<keyof PostgresOptions>

const wrong = (name: string, message: string) =>
  new PayportOptionsError({
    option: `store.${name}`,
    message: `The option ${name} of postgres() ${message}.`,
  })

const connection = (name: string, url: unknown) =>
  typeof url === "string" && /^postgres(ql)?:\/\//.test(url)
    ? Result.mapError(connectionOf(url, {}), (problem) => wrong(name, problem))
    : Result.fail(wrong(name, "has to be a URL such as postgresql://user:password@host/database"))

const readOptions = (given: unknown) =>
  Result.gen(function* () {
    if (typeof given !== "object" || given === null) {
      return yield* Result.fail(wrong("url", "is missing: call postgres({ url })"))
    }
    const unknown = Object.keys(given).find((name) => !NAMES.includes(name))
    if (unknown !== undefined) {
      return yield* Result.fail(wrong(unknown, `is not known; there are ${NAMES.join(" and ")}`))
    }
    const { migrationUrl, url } = given as { readonly [name: string]: unknown }
    const service = yield* connection("url", url)
    const owner =
      migrationUrl === undefined ? {} : { owner: yield* connection("migrationUrl", migrationUrl) }
    return { service, owner }
  })

/**
 * Keeps everything in a PostgreSQL database, which any number of processes share. It is used only
 * while this machine's clock agrees with the database's. Options that are wrong end `makePayport`.
 */
export const postgres = (options: PostgresOptions): StoreOption =>
  new StoreOption(
    Layer.unwrap(
      Effect.map(Effect.fromResult(readOptions(options)), ({ owner, service }) =>
        Layer.provideMerge(guardedStore, PostgresStore.layer(service, owner)),
      ),
    ),
  )
