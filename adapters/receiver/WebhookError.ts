/** Why a delivery was refused (Webhook error codes; the last: a signed body without an event). */
export type WebhookErrorCode =
  | "webhook_signature_invalid"
  | "webhook_secret_expired"
  | "webhook_decryption_failed"
  | "webhook_key_not_found"
  | "webhook_payload_invalid"

/**
 * The status of the answer. The sender repeats after 401 and 5xx, so that the event still arrives
 * once a secret or key is corrected. Any other 4xx ends the delivery.
 */
const STATUS: { readonly [C in WebhookErrorCode]: number } = {
  webhook_signature_invalid: 401,
  webhook_secret_expired: 401,
  webhook_decryption_failed: 500,
  webhook_key_not_found: 500,
  webhook_payload_invalid: 400,
}

/** A delivery that must not be handled. The message is for the log, not for the response. */
export class WebhookError extends Error {
  override readonly name = "WebhookError"
  readonly code: WebhookErrorCode
  /** The HTTP status of the answer to the delivery. */
  readonly status: number

  constructor(code: WebhookErrorCode, message: string, status: number = STATUS[code]) {
    super(message)
    this.code = code
    this.status = status
  }
}
