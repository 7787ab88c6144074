import { Duration } from "effect"

/** A lock is waited for this long before the server gives up. */
const LOCK_TIMEOUT = Duration.seconds(2)

/** A statement runs this long before the server gives up: a short one, and any. */
export const SHORT = Duration.seconds(4)
export const STATEMENT_TIMEOUT = Duration.seconds(10)

/** The server says that it has given up within so much more; after that its session is broken. */
export const GRACE = Duration.seconds(2)

export const milliseconds = (duration: Duration.Duration): string =>
  `${Duration.toMillis(duration)}ms`

/** The settings of every session of ours. */
export const SESSION_SETTINGS = {
  lock_timeout: milliseconds(LOCK_TIMEOUT),
  statement_timeout: milliseconds(STATEMENT_TIMEOUT),
  idle_in_transaction_session_timeout: milliseconds(STATEMENT_TIMEOUT),
  TimeZone: "UTC",
  jit: "off",
  // What a session holds, such as its turn at the audit log, is free within a minute of the end of
  // a machine that could not say goodbye.
  tcp_keepalives_idle: "30",
  tcp_keepalives_interval: "10",
  tcp_keepalives_count: "3",
}
