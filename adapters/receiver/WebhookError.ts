/** Why a delivery was not taken (Webhook error codes; the last one is for signed nonsense). */
export type WebhookErrorCode =
  | "webhook_signature_invalid"
  | "webhook_secret_expired"
  | "webhook_decryption_failed"
  | "webhook_key_not_found"
  | "webhook_payload_invalid"

/**
 * What to answer. The sender repeats after 401 and 5xx, so that a secret or key which is put right
 * meanwhile still gets the event; any other 4xx would end the delivery for good.
 */
const STATUS: { readonly [C in WebhookErrorCode]: number } = {
  webhook_signature_invalid: 401,
  webhook_secret_expired: 401,
  webhook_decryption_failed: 500,
  webhook_key_not_found: 500,
  webhook_payload_invalid: 400,
}

/** A delivery that must not be acted on. The message is for the log, not for the answer. */
export class WebhookError extends Error {
  override readonly name = "WebhookError"
  readonly code: WebhookErrorCode
  /** The HTTP status to answer the delivery with. */
  readonly status: number

  constructor(code: WebhookErrorCode, message: string, status: number = STATUS[code]) {
    super(message)
    this.code = code
    this.status = status
  }
}
