import { Effect, Exit, Logger, Redacted, Scope } from "effect"
import { realpath } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import {
  connectionUrl,
  type DatabaseConnection,
} from "../../adapters/postgres/embedded/database.ts"
import { processesServing } from "../../adapters/postgres/embedded/processes.ts"
import type { ServerSettings } from "../../adapters/postgres/embedded/serverSettings.ts"
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "../../adapters/postgres/embedded/startEmbeddedPostgres.ts"
import { askDatabase } from "../support/askDatabase.ts"

interface Started {
  readonly server: EmbeddedPostgres
  readonly scope: Scope.Closeable
}

/** `kill -9` of a process, if it is still there. */
export const killProcess = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL")
  } catch {
    // It has ended already.
  }
}

/** A separate PostgreSQL with its own folder, which is started, stopped and killed repeatedly. */
export class Postgres {
  readonly folder: string
  #started: Started | undefined

  constructor(folder: string) {
    this.folder = folder
  }

  /** Starts it as the service would, with these settings before its own. */
  async start(settings: ServerSettings = {}): Promise<void> {
    const scope = Scope.makeUnsafe()
    const starting = startEmbeddedPostgres({ dataDirectory: this.folder, settings })
    try {
      const server = await Effect.runPromise(
        starting.pipe(Effect.provideService(Scope.Scope, scope), Effect.provide(Logger.layer([]))),
      )
      this.#started = { server, scope }
    } catch (error) {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      throw error
    }
  }

  /** Stops it as an operator does; nothing when it does not run. */
  async stop(): Promise<void> {
    const started = this.#started
    this.#started = undefined
    if (started === undefined) return
    const closing = Scope.close(started.scope, Exit.void)
    await Effect.runPromise(Effect.provide(closing, Logger.layer([])))
  }

  /** Kills with `kill -9` the main process, or all processes at the same time. */
  async kill(what: "main" | "all"): Promise<void> {
    const { pid } = this.#running()
    const data = await realpath(join(this.folder, "postgres/data"))
    killProcess(pid)
    // Also finds processes that were just starting when the others were listed.
    const looks = what === "all" ? 500 : 0
    for (let look = 0; look < looks; look++) {
      const left = await processesServing(data)
      if (left.length === 0) break
      left.forEach(killProcess)
      await sleep(10)
    }
    await this.stop()
  }

  /** The connection of the service's own user. */
  get connection(): DatabaseConnection {
    return this.#running().connection
  }

  /** The connection of the database's superuser. */
  get operator(): DatabaseConnection {
    return { ...this.connection, username: "postgres", database: "postgres" }
  }

  /** Returns the URL for a service. `host` replaces the folder of the socket. */
  url(host = this.connection.host): string {
    return Redacted.value(connectionUrl({ ...this.connection, host }))
  }

  /** One statement of the service's own user. */
  ask(sql: string) {
    return askDatabase(this.connection, sql)
  }

  /** Runs a statement as the superuser. */
  manage(sql: string) {
    return askDatabase(this.operator, sql)
  }

  /** Changes settings of the running server, for sessions that are open too. */
  async configure(settings: { readonly [name: string]: string }): Promise<void> {
    for (const [name, value] of Object.entries(settings)) {
      await this.manage(`ALTER SYSTEM SET ${name} = ${value}`)
    }
    await this.manage("SELECT pg_reload_conf()")
  }

  #running(): EmbeddedPostgres {
    if (this.#started === undefined) throw new Error(`No PostgreSQL runs on ${this.folder}.`)
    return this.#started.server
  }
}
