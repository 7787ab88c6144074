import { type Call, type Connection, pause } from "./Connection.ts"
import { ConnectionFailed, PayportError } from "./PayportError.ts"
import { readStates } from "./readStates.ts"
import type { PaymentIntent } from "./Resources.ts"

/** The statuses after which a payment does not change, and its stream ends. */
export const LAST_STATUSES: ReadonlySet<PaymentIntent["status"]> = new Set([
  "succeeded",
  "completed",
  "failed",
  "expired",
  "cancelled",
  "voided",
])

/**
 * Yields a payment's states until its last one. A stream can end before: the process that serves it
 * may be stopped, or a proxy may end what lasts long. It is then opened again, and a state that is
 * sent again is not repeated. Rejects with `ConnectionFailed` once more streams in a row than the
 * call has retries have ended without a state.
 */
export const watchStates = async function* (
  connection: Connection,
  call: Call,
  readBody: (response: Response) => Promise<ReadableStream<Uint8Array> | null>,
): AsyncGenerator<PaymentIntent, void> {
  const { signal } = call.options
  const retries = connection.retriesOf(call)
  let seen: string | undefined
  /** How many streams in a row have ended without a state. */
  let failures = 0
  for (;;) {
    const body = await connection.send(call, readBody)
    let broken: unknown
    let isEmpty = true
    try {
      for await (const { data, id } of readStates(body ?? new Blob([]).stream())) {
        isEmpty = false
        if (id !== undefined && id === seen) continue
        seen = id
        const state = data as PaymentIntent
        yield state
        if (LAST_STATUSES.has(state.status)) return
      }
    } catch (cause) {
      signal?.throwIfAborted()
      if (cause instanceof PayportError) throw cause
      broken = cause
    }
    failures = isEmpty ? failures + 1 : 0
    if (failures > retries) {
      const message = "The stream of the payment's states ended before the payment."
      throw new ConnectionFailed("CONNECTION_FAILED", message, broken)
    }
    await pause(Math.max(failures - 1, 0), 0, signal)
  }
}
