import type { PgConnection } from "@effect/sql-pg"
import { Duration, Effect, Exit, type Queue, Scope } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { connect, type Socket } from "node:net"
import type { ServerPlace } from "../ConnectionSettings.ts"
import { type Connection, connectWith, type DatabaseConfig, type Standing } from "./connectWith.ts"

/**
 * The server that a session needs: `primary` is no replica, whose answers may be old; `read-write`
 * is a primary that takes writes; `any` is any server.
 */
export type ServerRole = "primary" | "read-write" | "any"

/** A connection and the signs that it is alive. */
export interface Session {
  readonly connection: Connection
  /** Subscribes to a channel until the scope closes. */
  readonly listen: (
    channel: string,
  ) => Effect.Effect<Queue.Dequeue<{ readonly payload: string }, SqlError>, SqlError, Scope.Scope>
  readonly socket: {
    readonly bytesRead: number
    once(event: "close", listener: () => void): unknown
  }
  /** Closes the session. With `now` it does not wait for pending answers. */
  readonly close: (now: boolean) => void
}

/** A session that payport opened itself. */
export interface OwnSession extends Session {
  readonly place: ServerPlace
  /** Whether there is no pooler in between. */
  readonly isDirect: boolean
}

/** The default time limit for opening a connection, in milliseconds. */
const CONNECT_TIMEOUT = 2_000

/** The time limit for a server to tell its role. */
const LOOK_TIMEOUT = Duration.seconds(2)

/** Milliseconds of silence after which TCP checks whether the server is alive. */
const KEEP_ALIVE = 15_000

/** Returns the failure to get a session. Nothing has been sent. */
export const noSession = (code: string, message: string): SqlError =>
  new SqlError({
    reason: new ConnectionError({
      cause: Object.assign(new Error(message), { code }),
      message,
      operation: "connect",
    }),
  })

const refusalOf = ({ follows, read_only }: Standing, wanted: ServerRole) => {
  if (wanted === "any") return undefined
  if (follows) return noSession("25006", "The server follows another: it is no primary.")
  return read_only && wanted === "read-write"
    ? noSession("25006", "The server takes no writes.")
    : undefined
}

/** Looks the name up for each connection: after a failover it may be another server's. */
const connectTo = ({ host, port }: ServerPlace): Socket =>
  host.startsWith("/")
    ? connect({ path: `${host}/.s.PGSQL.${port}` })
    : connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE })

const openAt = (config: DatabaseConfig, place: ServerPlace, wanted: ServerRole) =>
  Effect.suspend(() => {
    const scope = Scope.makeUnsafe()
    // The session's own socket, and short-lived ones that cancel its statements.
    const sockets = new Set<Socket>()
    const stream = () => {
      const socket = connectTo(place)
      sockets.add(socket)
      return socket.once("close", () => sockets.delete(socket))
    }
    const end = Scope.close(scope, Exit.void)
    const connectTimeout = config.connectTimeout ?? CONNECT_TIMEOUT
    const make = connectWith({ ...config, ...place, connectTimeout, stream })
    return Effect.gen(function* () {
      const { connection, raw, standing } = yield* Scope.provide(make, scope)
      const refusal = refusalOf(standing, wanted)
      if (refusal !== undefined) return yield* refusal
      const [socket = connectTo(place)] = sockets
      const close = (now: boolean) => {
        if (now) socket.destroy()
        Effect.runFork(end)
      }
      const isDirect = standing.process === raw.processId
      const session: OwnSession = { connection, listen: raw.listen, socket, place, isDirect, close }
      return session
    }).pipe(
      Effect.timeoutOrElse({
        duration: Duration.sum(Duration.fromInputUnsafe(connectTimeout), LOOK_TIMEOUT),
        orElse: () => Effect.fail(noSession("NO_ANSWER", "The server does not answer.")),
      }),
      Effect.onExit((exit) => {
        if (Exit.isSuccess(exit)) return Effect.void
        for (const socket of sockets) socket.destroy()
        return end
      }),
    )
  })

/**
 * Opens sessions with the first server that has the needed role, beginning with the last such one.
 * Fails with the last server's error.
 */
export const makeOpen = (
  config: DatabaseConfig,
  [first, ...others]: readonly [ServerPlace, ...ReadonlyArray<ServerPlace>],
) => {
  let last = first
  return (more: PgConnection.Config, wanted: ServerRole): Effect.Effect<OwnSession, SqlError> =>
    Effect.suspend(() => {
      const rest = [first, ...others].filter((place) => place !== last)
      const at = (place: ServerPlace) =>
        Effect.tap(openAt({ ...config, ...more }, place, wanted), () =>
          Effect.sync(() => void (last = place)),
        )
      return rest.reduce(
        (opening, place) => Effect.catchTag(opening, "SqlError", () => at(place)),
        at(last),
      )
    })
}
