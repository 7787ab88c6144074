import { createHmac } from "node:crypto"
import { type Dispatcher, request } from "undici"
import { eventBody } from "../../core/webhooks/events/Envelope.ts"
import { type EventType, familyOf } from "../../core/webhooks/events/Event.ts"
import { endpointHeaders } from "../../core/webhooks/keys/Signature.ts"
import type { LoggedEvent } from "./eventLog.ts"
import { nameOf } from "../connectionFailure.ts"

/** The outcome of one attempt. */
export interface Attempt {
  /** Null when there was no answer. */
  readonly status: number | null
  readonly error?: string
  readonly duration_ms: number
}

/** What follows an attempt; `after` in milliseconds. */
export type Next =
  | { readonly type: "delivered" }
  | { readonly type: "given_up" }
  | { readonly type: "retry"; readonly after: number }

const TIMEOUT = 5_000
const MOST_ATTEMPTS = 5
const WAITS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000]

const hmac = (secret: string, message: string): string =>
  createHmac("sha256", secret).update(message).digest("hex")

/**
 * What follows attempt number `attempt`, from 1. A receiver without an answer is retried for ever.
 */
export const nextAfter = (status: number | null, attempt: number): Next => {
  if (status !== null && status >= 200 && status < 300) return { type: "delivered" }
  const final = status !== null && status >= 400 && status < 500 && status !== 401
  if (final || (status !== null && attempt >= MOST_ATTEMPTS)) return { type: "given_up" }
  return { type: "retry", after: WAITS[attempt - 1] ?? 30_000 }
}

/** The receiver, and how it is called. */
export interface Target {
  readonly forward: string
  readonly secret: string
  readonly dispatcher: Dispatcher
  readonly signal: AbortSignal
}

/** Posts an event as a signed webhook; `retry` is 0 for the first attempt. */
export const post = async (
  { dispatcher, forward, secret, signal }: Target,
  { created_at, data, id, type }: LoggedEvent,
  retry: number,
): Promise<Attempt> => {
  // A type of a newer service, which this program does not know, has the usual envelope.
  const event = { id, data, type: type as EventType, created_at: Date.parse(created_at) }
  const body = eventBody(event)
  const at = Date.now()
  const started = performance.now()
  const duration = () => Math.round(performance.now() - started)
  try {
    const answer = await request(forward, {
      dispatcher,
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "User-Agent": "payport",
        ...endpointHeaders(hmac, [secret], {
          event_id: id,
          family: familyOf(event.type),
          retry,
          body,
          at,
          enc: undefined,
        }),
      },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
    })
    const duration_ms = duration()
    // The status counts even if the body breaks off.
    await answer.body.dump({ limit: 65_536 }).catch(() => undefined)
    return { status: answer.statusCode, duration_ms }
  } catch (error) {
    return { status: null, error: nameOf(error), duration_ms: duration() }
  }
}
