import { decrypt, type EncryptedBody, type WebhookKey } from "./decrypt.ts"
import { dedupe, type Outcome } from "./dedupe.ts"
import type { WebhookEvent } from "./Events.ts"
import { readHeaders } from "./headers.ts"
import type { SeenEvents } from "./SeenEvents.ts"
import {
  bytesOf,
  type Verified,
  verify,
  type VerifyOptions,
  type WebhookRequest,
} from "./verify.ts"
import { WebhookError } from "./WebhookError.ts"
import { parseFields, readEvent, unwrapped } from "./WebhookEvent.ts"

/** The options of `open`. */
export interface OpenOptions extends VerifyOptions {
  /** The receiver's X25519 secret keys: several during a replacement. */
  readonly keys?: ReadonlyArray<WebhookKey>
}

/** The options of `receive`. */
export interface ReceiveOptions extends OpenOptions {
  /** Records the handled events, for example `memorySeen()`. */
  readonly seen: SeenEvents
  /** Called once per event. The sender waits at most 5 seconds: queue longer work. */
  readonly handle: (event: WebhookEvent) => Promise<void> | void
}

/** A genuine delivery. */
export interface Received {
  readonly event: WebhookEvent
  readonly outcome: Outcome
  /** The HTTP status of the answer: 200, or 503 while the event is being handled. */
  readonly status: 200 | 503
}

type Fields = { readonly [field: string]: unknown }

const isEncrypted = (fields: Fields): fields is Fields & EncryptedBody =>
  fields["encrypted"] === true

const contradiction = (what: string): WebhookError =>
  new WebhookError(
    "webhook_signature_invalid",
    `${what} Only the body is signed, so the header was changed on its way.`,
  )

/** `enc` is not signed, but the fingerprint in the body is. Both must agree. */
const checkKeyNamed = ({ enc }: Verified, fingerprint: unknown) => {
  const named =
    typeof fingerprint === "string" ? Buffer.from(fingerprint).toString("base64") : undefined
  if (enc.some((value) => value !== named)) {
    throw contradiction("The enc of the signature header is not the key that the body names.")
  }
}

/** The id in a header is not signed, but the id in the body is. Both must agree. */
const checkId = ({ headers }: WebhookRequest, { id }: WebhookEvent) => {
  const found = readHeaders(headers)
  const ids = ["webhook-id", "x-webhook-id"].map((name) => found.get(name) ?? id)
  if (ids.some((value) => value !== id)) {
    throw contradiction("The id in the headers is not the id of the event.")
  }
}

/**
 * Verifies and decrypts a delivery and returns its event, for every delivery. Throws
 * `WebhookError`, whose `status` is the one to answer with.
 */
export const open = (request: WebhookRequest, options: OpenOptions): WebhookEvent => {
  const verified = verify(request, options)
  const fields = parseFields(bytesOf(request.body))
  const encrypted = isEncrypted(fields)
  checkKeyNamed(verified, encrypted ? fields.key_fingerprint : undefined)
  const event = readEvent(
    encrypted ? unwrapped(parseFields(decrypt(fields, options.keys ?? []))) : fields,
  )
  checkId(request, event)
  return event
}

/**
 * Verifies, decrypts and dedupes a delivery, and handles its event once, however often it is
 * delivered. Throws `WebhookError`, whose `status` is the one to answer with, or the handler's
 * error: answer that with 500, and the event is repeated.
 */
export const receive = async (
  request: WebhookRequest,
  options: ReceiveOptions,
): Promise<Received> => {
  const event = open(request, options)
  const outcome = await dedupe(options.seen, event.id, () => options.handle(event))
  return { event, outcome, status: outcome === "in_progress" ? 503 : 200 }
}
