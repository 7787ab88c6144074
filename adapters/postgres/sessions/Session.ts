import type { PgConnection } from "@effect/sql-pg"
import { Duration, Effect, Exit, type Queue, Scope } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { connect, type Socket } from "node:net"
import type { ServerPlace } from "../ConnectionSettings.ts"
import { type Connection, connectWith, type DatabaseConfig, type Standing } from "./connectWith.ts"

/**
 * What a session needs of its server: `primary` is one that does not follow another, whose answers
 * may be old; `read-write` is a primary that takes writes; `any` is whatever is there.
 */
export type ServerRole = "primary" | "read-write" | "any"

/** A connection, and what shows that it lives. */
export interface Session {
  readonly connection: Connection
  /** Hears what is told on a channel until the scope closes. */
  readonly listen: (
    channel: string,
  ) => Effect.Effect<Queue.Dequeue<{ readonly payload: string }, SqlError>, SqlError, Scope.Scope>
  readonly socket: {
    readonly bytesRead: number
    once(event: "close", listener: () => void): unknown
  }
  /** Says goodbye; `now` waits for nothing that is still on its way. */
  readonly close: (now: boolean) => void
}

/** A session of our own. */
export interface OwnSession extends Session {
  readonly place: ServerPlace
  /** Whether no pooler is between. */
  readonly isDirect: boolean
}

/** How long a connection may take to be made, in milliseconds, where the settings say nothing. */
const CONNECT_TIMEOUT = 2_000

/** How long a server may take to say what it is. */
const LOOK_TIMEOUT = Duration.seconds(2)

/** After so many milliseconds without a sound a server is asked whether it is there. */
const KEEP_ALIVE = 15_000

/** A failure to get a session: nothing has been sent. */
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

/** The name is looked up anew for each connection: after a failover it may be another server's. */
const connectTo = ({ host, port }: ServerPlace): Socket =>
  host.startsWith("/")
    ? connect({ path: `${host}/.s.PGSQL.${port}` })
    : connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE })

const openAt = (config: DatabaseConfig, place: ServerPlace, wanted: ServerRole) =>
  Effect.suspend(() => {
    const scope = Scope.makeUnsafe()
    // The session's own, and for moments those that cancel a statement of it.
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
 * Opens sessions with the first server that is what they need, beginning with the one that was it
 * last. Fails with what the last of them said.
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
