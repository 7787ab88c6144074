import type { FailureCode } from "../../../core/shared/Failure.ts"

/**
 * What a program does after an error: gives up, retries the same request under the same
 * `Idempotency-Key` (immediately or after `Retry-After`), or sends another request.
 */
export type Retry = "no" | "same" | "later"

interface ErrorText {
  readonly cause: string
  readonly remedy: string
  readonly retry: Retry
}

const text = (retry: Retry, cause: string, remedy: string): ErrorText => ({ cause, remedy, retry })

/** The reason for each code, and what to do. A missing code does not compile. */
export const ERROR_TEXTS: { readonly [C in FailureCode]: ErrorText } = {
  INVALID_JSON: text("no", "The body is not valid JSON.", "Send JSON in UTF-8."),
  INVALID_QUERY: text(
    "no",
    "A query parameter is unknown, or its value is not valid.",
    "Compare `field` and `details` with the operation's parameters.",
  ),
  INVALID_AMOUNT: text(
    "no",
    "The amount is not a whole number of minor units above zero, its currency is unknown, or " +
      "it is not the price that a plan or a tab has now, or the amount that a payment has.",
    'Send `{currency, value}`: 6.99 US dollars are `{"currency": "USD", "value": 699}`. ' +
      "`details.price`, where present, is the present price: ask your person before you agree.",
  ),
  INVALID_PAYER: text(
    "no",
    "The payer is missing or has the wrong form.",
    'Name the paying agent: `{"agent_id": "…"}`. With a seller\'s key it is always required.',
  ),
  INVALID_METADATA: text(
    "no",
    "The metadata has more than 4,096 bytes of JSON, or contains a card number.",
    "Send only what you need to find the order again, and no card number.",
  ),
  AMOUNT_MISMATCH: text(
    "no",
    "A channel's callback has another amount than the payment. It had no effect.",
    "See the discrepancy in the reconciliation report, and ask the channel's operator.",
  ),
  CHANNEL_MISMATCH: text(
    "no",
    "A channel's callback is about another channel's payment, or about another trade.",
    "See the discrepancy in the reconciliation report, and ask the channel's operator.",
  ),
  CHANNEL_CONFIGURATION_ERROR: text(
    "no",
    "The channel refuses this installation's credentials.",
    "Pay by another channel. The operator must check the channel's key and secret.",
  ),
  REFUND_WINDOW_EXPIRED: text(
    "no",
    "The channel's time limit for refunds is over.",
    "Return the money outside payport. `GET /v1/channels` has each channel's `window_days`.",
  ),
  validation_error: text(
    "no",
    "A field of the submitted identity data is missing or not valid.",
    "Correct `field`, and submit what the level requires.",
  ),
  invalid_otp: text(
    "no",
    "The code is wrong or has expired.",
    "Ask the person again. `details` has the number of attempts that are left.",
  ),
  RATE_LIMIT_EXCEEDED: text(
    "later",
    "More requests a minute than the account's plan allows, or too many without a key.",
    "Wait for `Retry-After` seconds. `RateLimit-Remaining` of each response has the rest.",
  ),
  OTP_RATE_LIMITED: text(
    "later",
    "Too many codes were sent to the agent, address or phone, or too many codes were wrong.",
    "Wait for `Retry-After` seconds.",
  ),
  UNAUTHORIZED: text("no", "The request has no key.", "Send `Authorization: Bearer <key>`."),
  INVALID_API_KEY: text(
    "no",
    "The key is unknown, revoked, expired, or belongs to the other mode.",
    "Use a key that `GET /v1/api-keys` lists. Sandbox keys contain `test`.",
  ),
  webhook_signature_invalid: text(
    "no",
    "The signature of a channel's callback is wrong.",
    "The gateway must sign the raw body with its `callback_secret`.",
  ),
  PAYMENT_REQUIRED: text(
    "no",
    "The payment of the proof is not paid.",
    "If `details.status` is open, pay it and send the proof again. Else get a new challenge.",
  ),
  FORBIDDEN: text(
    "no",
    "The key is valid, but another party must do this, or the key's restrictions exclude it.",
    "Use the other party's key, or a key with the right that the message names.",
  ),
  ACCOUNT_SUSPENDED: text(
    "no",
    "The operator has suspended the account or the key.",
    "Ask the operator. Payments that have begun continue.",
  ),
  INSUFFICIENT_KYC: text(
    "no",
    "The payment exceeds the limits of the payer's or the payee's verification level.",
    "Verify a higher level (`POST /v1/kyc/verify`), or pay less. The message names the limit.",
  ),
  PLAN_LIMIT_EXCEEDED: text(
    "no",
    "The account's plan does not include this, or not so many.",
    "Use less, or ask the operator for a larger plan.",
  ),
  SPEND_CAP_EXCEEDED: text(
    "no",
    "The payment would exceed the agent's spend cap or its key's budget for the period.",
    "Wait for the next period, or ask a person to raise the cap.",
  ),
  PAYMENT_PROOF_INVALID: text(
    "no",
    "The token does not prove a payment of this resource at this price.",
    "Request the resource without a proof, and pay its new challenge.",
  ),
  NOT_FOUND: text(
    "no",
    "No record has that id, or it belongs to another account.",
    "Check the id, and the account of the API key.",
  ),
  METHOD_NOT_ALLOWED: text("no", "The path has no such method.", "`Allow` lists its methods."),
  INVALID_TRANSITION: text(
    "no",
    "The record's state does not allow this action.",
    "Read the record again. `details.status` is its state, and its lifecycle has the transitions.",
  ),
  DUPLICATE_NAME: text("no", "An active service has that or a similar name.", "Choose another."),
  AGENT_ID_TAKEN: text("no", "Another account has that `agent_id`.", "Choose another one."),
  USAGE_NOT_STARTED: text(
    "no",
    "The agent's tab was not open when the service was used.",
    "The buyer must start it first: `POST /v1/services/{id}/tab`. For use before a tab was " +
      "closed, send its `occurred_at` within a day.",
  ),
  INVOICE_UNPAID: text(
    "no",
    "A bill of the agent's tab was given up, and is still owed.",
    "Pay the invoice `details.invoice`: `POST /v1/invoices/{id}/pay`, or ask its seller to void " +
      "it. Then start the tab again.",
  ),
  ALREADY_SUBSCRIBED: text("no", "The agent has that plan already.", "Use it, or cancel it first."),
  SERVICE_NOT_ACTIVE: text(
    "no",
    "The service is a draft, paused or deprecated, or its seller is suspended: it accepts no new " +
      "payments.",
    "The seller must activate or resume it. Choose another service if the seller is suspended.",
  ),
  PAYMENT_PROOF_USED: text("no", "The proof was used before.", "Get a new challenge, and pay it."),
  PAYMENT_IDENTIFIER_USED: text(
    "no",
    "Another payment was used with that `payment_identifier`. No money was taken.",
    "Send that payment again, or choose another identifier for another purchase.",
  ),
  PAYMENT_UNRESOLVED: text(
    "later",
    "It is not known yet whether the money was taken: the channel has not answered.",
    "Send the same proof again after `Retry-After`. Do not pay a second time.",
  ),
  QUOTE_EXPIRED: text("no", "The quote is older than a minute.", "Ask for a new quote."),
  QUOTE_USED: text("no", "Another payment has used the quote.", "Ask for a new quote."),
  IDEMPOTENCY_KEY_USED: text(
    "no",
    "The `Idempotency-Key` was used for a request with another body, path or method.",
    "Use a new key for a new request, and the old key only to repeat the old request.",
  ),
  IDEMPOTENCY_KEY_IN_PROGRESS: text(
    "later",
    "The first request of that `Idempotency-Key` is still running.",
    "Send the same request again after `Retry-After`. It gets the first one's response.",
  ),
  refund_exceeds_revocable: text(
    "no",
    "An earlier refund of the payment has already revoked all access.",
    "Refund without `revoke`.",
  ),
  REFUND_NOT_ALLOWED: text(
    "no",
    "The payment's state does not allow refunds, or its channel does not make such a refund.",
    "Refund after settlement. `GET /v1/channels` has each channel's rules for refunds.",
  ),
  REFUND_EXCEEDS_PAYMENT: text(
    "no",
    "The amount is more than the rest of the payment.",
    "`details` has the rest. Without an amount, exactly the rest is refunded.",
  ),
  REFUND_LIMIT_EXCEEDED: text(
    "no",
    "The channel makes no partial refunds, or no further ones of this payment.",
    "Refund the whole payment, or return the rest outside payport.",
  ),
  REFUND_CHANNEL_REJECTED: text(
    "no",
    "The channel rejected the refund. No money was returned.",
    "See the refund's `channel_reason`. You can try a new refund.",
  ),
  PAYLOAD_TOO_LARGE: text(
    "no",
    "The body is larger than the operation's limit, which is 64 KiB for most.",
    "Send less, such as a smaller image or shorter texts.",
  ),
  UNSUPPORTED_MEDIA_TYPE: text(
    "no",
    "The body's media type is not JSON, or the body is compressed.",
    "Send `Content-Type: application/json` and no `Content-Encoding`.",
  ),
  MISSING_REQUIRED_FIELD: text(
    "no",
    "A required field is missing.",
    "`field` names it, and `details` names all missing fields.",
  ),
  INVALID_REQUEST: text(
    "no",
    "A field or a header is not valid (422), or the request's HTTP (400, 408, 431).",
    "`field` names it, and the message says which values are valid. After 408, send it again.",
  ),
  INVALID_PRICING: text(
    "no",
    "The service's prices do not fit its payment methods or its currency.",
    "Give each enabled payment method its prices. Amounts are in minor units.",
  ),
  INVALID_URL: text(
    "no",
    "The URL cannot be called: it is not https, or is in a private network.",
    "Send a public https URL. A sandbox on this machine also accepts local URLs.",
  ),
  INVALID_PUBLIC_KEY: text(
    "no",
    "The key is not an X25519 public key of 32 bytes in base64.",
    "Create a key pair with NaCl's box, and register the public key.",
  ),
  INVALID_IMAGE: text(
    "no",
    "The image is not a valid PNG, JPEG, WebP or GIF, or is too large.",
    "Send the bytes of a smaller or valid image in base64.",
  ),
  QR_NOT_FOUND: text(
    "no",
    "No QR code was found in the image.",
    "Take a sharper image from a shorter distance.",
  ),
  UNSUPPORTED_CHANNEL: text(
    "no",
    "The channel does not exist.",
    "`GET /v1/channels` lists all channels.",
  ),
  revocation_target_invalid_type: text(
    "no",
    "The type of access is unknown.",
    "The message lists the types.",
  ),
  revocation_scope_invalid: text(
    "no",
    "This type of access has no such scope.",
    "Use `all`, `read:full`, `read:detail` or `read:summary`, as the message says.",
  ),
  revocation_limit_exceeded: text(
    "no",
    "A refund would revoke too many targets, or the payment has too many access items.",
    "Revoke fewer targets, or use several refunds.",
  ),
  CHANNEL_UNAVAILABLE: text(
    "no",
    "None of the service's channels can take this payment from this payer in this currency.",
    "Choose another channel or currency. The message lists what the service accepts.",
  ),
  CHANNEL_NO_DEEPLINK: text("no", "The channel has no deep links.", "Pay by QR code instead."),
  CHANNEL_ERROR: text(
    "same",
    "The channel refused the request, or its answer was not valid. The request charged nothing.",
    "Send the same request again, or pay by another channel under a new key.",
  ),
  CHANNEL_TEMPORARILY_UNAVAILABLE: text(
    "later",
    "The channel and its fallback are unavailable or over their rate limit.",
    "Wait for `Retry-After` seconds.",
  ),
  TEMPORARILY_UNAVAILABLE: text(
    "later",
    "The database is unavailable, or the process is stopping. The request had no effect.",
    "Send the same request again after `Retry-After`.",
  ),
  OUTCOME_UNKNOWN: text(
    "same",
    "The database did not answer in time, so the request may have taken effect.",
    "Send the same request with the same `Idempotency-Key`. The response has the outcome.",
  ),
  OVERLOADED: text(
    "later",
    "The process is at its limit of concurrent requests. The request had no effect.",
    "Send the same request again in a second.",
  ),
  INTERNAL_ERROR: text(
    "same",
    "A defect of the service. The request may have taken effect.",
    "Send the same request with the same key again. Tell the operator the `request_id`.",
  ),
}
