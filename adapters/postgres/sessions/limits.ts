import { Duration } from "effect"

/** The longest wait for a lock on the server. */
const LOCK_TIMEOUT = Duration.seconds(2)

/** The time limits of a short statement, and of any statement. */
export const SHORT = Duration.seconds(4)
export const STATEMENT_TIMEOUT = Duration.seconds(10)

/** The time that the server has to report a timeout. After it the session counts as broken. */
export const GRACE = Duration.seconds(2)

export const milliseconds = (duration: Duration.Duration): string =>
  `${Duration.toMillis(duration)}ms`

/** The settings of every session of payport. */
export const SESSION_SETTINGS = {
  lock_timeout: milliseconds(LOCK_TIMEOUT),
  statement_timeout: milliseconds(STATEMENT_TIMEOUT),
  idle_in_transaction_session_timeout: milliseconds(STATEMENT_TIMEOUT),
  TimeZone: "UTC",
  jit: "off",
  // Locks of a session, such as its turn at the audit log, are released within a minute after its
  // machine disappeared without closing the connection.
  tcp_keepalives_idle: "30",
  tcp_keepalives_interval: "10",
  tcp_keepalives_count: "3",
}
