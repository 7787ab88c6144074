import { Effect, Queue } from "effect"
import {
  AuthenticationError,
  AuthorizationError,
  ConnectionError,
  DeadlockError,
  LockTimeoutError,
  SerializationError,
  SqlError,
  StatementTimeoutError,
  UniqueViolation,
  UnknownError,
} from "effect/sql/SqlError"
import { EventEmitter } from "node:events"
import type { OurSchema } from "../OurSchema.ts"
import type { Row } from "../tables/Table.ts"
import { HOST_TYPES, parameterText } from "./hostValues.ts"
import type { Connection, Query } from "./connectWith.ts"
import { noSession, type Session } from "./Session.ts"

/** A query for `pg`. */
export interface HostQuery {
  readonly text: string
  readonly values: Array<string | null>
  readonly types: typeof HOST_TYPES
}

/** A notification of `pg`. */
interface HostNotification {
  readonly processId: number
  readonly channel: string
  readonly payload?: string | undefined
}

/** A connection that a host's pool lends: the part of a `pg` client that payport uses. */
export interface HostClient {
  query(query: HostQuery): Promise<{ readonly rows: ReadonlyArray<unknown> }>
  /** Returns the connection to the pool; with `true` the pool closes it. */
  release(destroy?: boolean): void
  on(event: "notification", listener: (notification: HostNotification) => void): unknown
  on(event: "error" | "end", listener: () => void): unknown
  removeListener(event: "error" | "end", listener: () => void): unknown
}

/** A host's pool, such as `new Pool()` of `pg`. payport borrows its connections and closes none. */
export interface HostPool {
  connect(): Promise<HostClient>
}

const fieldOf = (error: unknown, field: string): string | undefined => {
  const value: unknown =
    typeof error === "object" && error !== null ? Reflect.get(error, field) : undefined
  return typeof value === "string" ? value : undefined
}

/** Node's codes that look like a SQLSTATE begin with E. No SQLSTATE does. */
const isSqlState = (code: string): boolean => /^(?!E)[0-9A-Z]{5}$/.test(code)

const REASONS = {
  "28000": AuthenticationError,
  "28P01": AuthenticationError,
  "42501": AuthorizationError,
  "40P01": DeadlockError,
  "40001": SerializationError,
  "55P03": LockTimeoutError,
  "57014": StatementTimeoutError,
} as const

const isKnown = (code: string): code is keyof typeof REASONS => Object.hasOwn(REASONS, code)

/** Maps the error of a host's client. Without a SQLSTATE, its connection has ended. */
export const hostFailure = (cause: unknown, operation: string): SqlError => {
  const code = fieldOf(cause, "code") ?? ""
  const said = { cause, message: fieldOf(cause, "message") ?? "The client failed.", operation }
  if (!isSqlState(code) || code.startsWith("08")) {
    return new SqlError({ reason: new ConnectionError(said) })
  }
  if (code === "23505") {
    const constraint = fieldOf(cause, "constraint") ?? "unknown"
    return new SqlError({ reason: new UniqueViolation({ ...said, constraint }) })
  }
  const Reason = isKnown(code) ? REASONS[code] : UnknownError
  return new SqlError({ reason: new Reason(said) })
}

/** The methods that a pool's client must have. */
const ABILITIES = ["query", "release", "on", "removeListener"] as const

const isClient = (given: unknown): given is HostClient =>
  typeof given === "object" &&
  given !== null &&
  ABILITIES.every((name) => typeof Reflect.get(given, name) === "function")

const noClient = noSession(
  "NO_CLIENT",
  `The pool's clients are not like those of pg: they need ${ABILITIES.join(", ")}.`,
)

/** The longest wait for a host's pool to lend a connection, in milliseconds. */
const LONGEST_WAIT = 3_000

const ended = () =>
  new SqlError({
    reason: new ConnectionError({
      cause: new Error("The pool's connection was given up."),
      message: "The pool's connection was given up.",
      operation: "query",
    }),
  })

/** A lent connection as a session. Pending statements fail when it is returned. */
class HostSession extends EventEmitter implements Session {
  readonly #client: HostClient
  readonly #schema: OurSchema
  readonly #keeps: boolean
  readonly #asked = new Set<() => void>()
  #answers = 0
  #closed = false

  constructor(client: HostClient, schema: OurSchema, keeps: boolean) {
    super()
    this.#client = client
    this.#schema = schema
    this.#keeps = keeps
    // Without a listener, a broken connection would end the host's process.
    client.on("error", this.#broken)
    client.on("end", this.#broken)
  }

  readonly #broken = (): void => this.close(true)

  readonly socket = this

  /** Counts answers instead of bytes, which a host's client does not count. */
  get bytesRead(): number {
    return this.#answers
  }

  readonly #ask: Query = (text, parameters = []) =>
    Effect.suspend(() => {
      const values = parameters.map(parameterText)
      return Effect.callback<{ readonly rows: ReadonlyArray<Row> }, SqlError>((resume) => {
        if (this.#closed) return resume(Effect.fail(ended()))
        const give = () => resume(Effect.fail(ended()))
        this.#asked.add(give)
        const answered = () => {
          this.#answers++
          this.#asked.delete(give)
        }
        void Promise.resolve()
          .then(() => this.#client.query({ text, values, types: HOST_TYPES }))
          .then(
            ({ rows }) => {
              answered()
              resume(Effect.succeed({ rows: rows as ReadonlyArray<Row> }))
            },
            (error: unknown) => {
              answered()
              resume(Effect.fail(hostFailure(error, "query")))
            },
          )
        return Effect.sync(() => void this.#asked.delete(give))
      })
    })

  readonly connection: Connection = {
    query: (sql, parameters) => this.#ask(this.#schema.place(sql), parameters),
    queryAsWritten: this.#ask,
  }

  readonly listen: Session["listen"] = (channel) =>
    Effect.gen({ self: this }, function* () {
      const queue = yield* Queue.unbounded<{ readonly payload: string }, SqlError>()
      this.#client.on("notification", (told) => {
        if (told.channel === channel) Queue.offerUnsafe(queue, { payload: told.payload ?? "" })
      })
      this.once("close", () => void Effect.runFork(Queue.fail(queue, ended())))
      yield* this.connection.query(`LISTEN "${channel}"`)
      return queue
    })

  readonly close = (now: boolean): void => {
    if (this.#closed) return
    this.#closed = true
    for (const give of this.#asked) give()
    this.emit("close")
    this.#client.removeListener("end", this.#broken)
    this.#client.release(now || !this.#keeps)
    this.#client.removeListener("error", this.#broken)
  }
}

/** A pool that calls back, or gives a promise. */
interface PoolOfEither {
  connect(callback: (error: unknown, client: unknown) => void): Promise<unknown> | undefined
}

/**
 * Asks the pool for a connection. `pg` gives one to a callback at once, and to a promise a little
 * later: then the server may have ended it already, and an error that nobody listens for ends the
 * host's process. Other pools may have promises only.
 */
const ask = async (pool: HostPool, take: (client: unknown) => void): Promise<void> => {
  const called = Promise.withResolvers<void>()
  // A pool that calls back may return a promise of nothing as well, which settles at another time.
  called.promise.catch(() => undefined)
  const client = await (pool as PoolOfEither).connect((error, lent) => {
    if (error) return called.reject(error)
    take(lent)
    called.resolve()
  })
  if (client === undefined) return called.promise
  take(client)
}

/**
 * Borrows a connection of a host's pool as a session. With `keeps` false the pool closes it after
 * use, because state of ours may be left in it. Fails after a wait of 3 seconds.
 */
export const borrow = (
  pool: HostPool,
  schema: OurSchema,
  keeps: boolean,
): Effect.Effect<Session, SqlError> =>
  Effect.callback<Session, SqlError>((resume) => {
    let isLate = false
    let taken: HostClient | undefined
    const end = (error: SqlError) => {
      isLate = true
      resume(Effect.fail(error))
    }
    const busy = noSession("BUSY", "The pool had no free connection in time.")
    const timer = setTimeout(end, LONGEST_WAIT, busy)
    const take = (client: unknown): void => {
      clearTimeout(timer)
      if (!isClient(client)) return end(noClient)
      // A pool may call back and give a promise of the same connection.
      if (client === taken) return
      taken = client
      if (isLate) return client.release()
      resume(Effect.succeed(new HostSession(client, schema, keeps)))
    }
    ask(pool, take).catch((error: unknown) => {
      clearTimeout(timer)
      end(hostFailure(error, "connect"))
    })
    return Effect.sync(() => {
      clearTimeout(timer)
      isLate = true
    })
  })
