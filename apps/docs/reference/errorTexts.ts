import type { FailureCode } from "../../../core/shared/Failure.ts"

/**
 * What a program does after an error: gives up, retries the same request under the same
 * `Idempotency-Key` (at once, or after `Retry-After`), or sends another request.
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
  INVALID_JSON: text("no", "The body is no JSON that can be stored.", "Send JSON in UTF-8."),
  INVALID_QUERY: text(
    "no",
    "A parameter of the query is unknown, or has a value that it cannot have.",
    "Read `field` and `details`, and compare with the operation's parameters.",
  ),
  INVALID_AMOUNT: text(
    "no",
    "The amount is no whole number of minor units, is not above zero, or its currency is unknown.",
    'Send `{currency, value}`: 6.99 US dollars are `{"currency": "USD", "value": 699}`.',
  ),
  INVALID_PAYER: text(
    "no",
    "The payer is missing, or is not written as one.",
    'Name the paying agent: `{"agent_id": "…"}`. A seller\'s key always has to.',
  ),
  INVALID_METADATA: text(
    "no",
    "The metadata is larger than 4,096 bytes of JSON, or holds the number of a card.",
    "Keep what you need to find the order again, and no card's number.",
  ),
  AMOUNT_MISMATCH: text(
    "no",
    "A channel's callback tells of another amount than the payment has. Nothing was moved.",
    "It is a discrepancy of the reconciliation report; the channel's operator has to look at it.",
  ),
  CHANNEL_MISMATCH: text(
    "no",
    "A channel's callback is about another channel's payment, or about another trade.",
    "It is a discrepancy of the reconciliation report; the channel's operator has to look at it.",
  ),
  CHANNEL_CONFIGURATION_ERROR: text(
    "no",
    "The channel refuses the credentials that this installation has for it.",
    "Pay by another channel. The operator has to look at the channel's key and secret.",
  ),
  REFUND_WINDOW_EXPIRED: text(
    "no",
    "The channel takes refunds for a number of days only, and they are over.",
    "Give the money back outside. `GET /v1/channels` has each channel's `window_days`.",
  ),
  validation_error: text(
    "no",
    "A field of what was submitted for verification is missing or cannot be right.",
    "Read `field`, and submit what the level asks for.",
  ),
  invalid_otp: text(
    "no",
    "The code that was answered is not the one that was sent, or its time is over.",
    "Ask the person again; `details` says how many attempts are left.",
  ),
  RATE_LIMIT_EXCEEDED: text(
    "later",
    "More requests a minute than the account's plan has, or too many without a key.",
    "Wait for `Retry-After` seconds. `RateLimit-Remaining` of each answer says what is left.",
  ),
  OTP_RATE_LIMITED: text(
    "later",
    "An agent, an address or a phone has got as many codes as it may, or gave too many wrong ones.",
    "Wait for `Retry-After` seconds.",
  ),
  UNAUTHORIZED: text("no", "The request has no key.", "Send `Authorization: Bearer <key>`."),
  INVALID_API_KEY: text(
    "no",
    "The key is unknown, revoked, expired, or of the other mode.",
    "Take a key that `GET /v1/api-keys` lists. Sandbox keys have `test` in them.",
  ),
  webhook_signature_invalid: text(
    "no",
    "A channel's callback is not signed with the secret that was agreed on.",
    "The gateway has to sign the raw body with its `callback_secret`.",
  ),
  PAYMENT_REQUIRED: text(
    "no",
    "The proof belongs to a payment that is not paid.",
    "`details.status` says whether it still can be: pay it and show the proof again, or ask anew.",
  ),
  FORBIDDEN: text(
    "no",
    "The key is right, and this is somebody else's to do, or beyond the key's restrictions.",
    "Use the other party's key, or one that is allowed it: the message says what is missing.",
  ),
  ACCOUNT_SUSPENDED: text(
    "no",
    "The operator has suspended the account or the key.",
    "Ask the operator. Payments that have begun go on to their end.",
  ),
  INSUFFICIENT_KYC: text(
    "no",
    "The payment is beyond what the payer, or the payee, is verified for.",
    "Verify a higher level (`POST /v1/kyc/verify`), or pay less; the message names the limit.",
  ),
  PLAN_LIMIT_EXCEEDED: text(
    "no",
    "The account's plan does not have this, or not so many.",
    "Use less, or ask the operator for a larger plan.",
  ),
  SPEND_CAP_EXCEEDED: text(
    "no",
    "The agent would pay more than its spend cap, or its key's budget, allows in the period.",
    "Wait for the next period, or let a person raise the cap.",
  ),
  PAYMENT_PROOF_INVALID: text(
    "no",
    "The token proves no payment of this resource at this price.",
    "Ask for the resource without a proof, and pay what it then asks for.",
  ),
  NOT_FOUND: text(
    "no",
    "There is nothing of that id, or it is somebody else's: the answer is the same.",
    "Look at the id, and at whose key asks.",
  ),
  METHOD_NOT_ALLOWED: text("no", "The path takes other methods.", "`Allow` lists them."),
  INVALID_TRANSITION: text(
    "no",
    "What was asked for is not possible in the state that the record is in.",
    "Read it again: `details.status` is its state, and the lifecycle says what leads where.",
  ),
  DUPLICATE_NAME: text("no", "The seller has a service of that name.", "Choose another one."),
  AGENT_ID_TAKEN: text("no", "Another account has that `agent_id`.", "Choose another one."),
  USAGE_NOT_STARTED: text(
    "no",
    "The agent has not agreed to be billed by use of this service.",
    "The buyer starts it first: `POST /v1/services/{id}/tab`.",
  ),
  ALREADY_SUBSCRIBED: text(
    "no",
    "The agent has a subscription to this service that has not ended.",
    "Use it, or cancel it first.",
  ),
  SERVICE_NOT_ACTIVE: text(
    "no",
    "The service is a draft, paused or deprecated, and takes no new payments.",
    "The seller activates or resumes it.",
  ),
  PAYMENT_PROOF_USED: text("no", "Each proof passes once.", "Ask without one, and pay again."),
  PAYMENT_IDENTIFIER_USED: text(
    "no",
    "The seller was shown another payment under that `payment_identifier`. Nothing was taken.",
    "Show that payment again, or choose another identifier for another purchase.",
  ),
  PAYMENT_UNRESOLVED: text(
    "later",
    "Whether the money was taken is not known yet: the channel has not answered.",
    "Show the same proof again after `Retry-After`. Do not pay a second time.",
  ),
  QUOTE_EXPIRED: text("no", "A quote holds for a minute, which is over.", "Ask for a new quote."),
  QUOTE_USED: text("no", "A quote is used up by one payment.", "Ask for a new quote."),
  IDEMPOTENCY_KEY_USED: text(
    "no",
    "The `Idempotency-Key` belongs to another request: the body, path or method differ.",
    "Use a new key for a new request, and the old key only for exactly the old one.",
  ),
  IDEMPOTENCY_KEY_IN_PROGRESS: text(
    "later",
    "The first request of that `Idempotency-Key` is still running.",
    "Wait for `Retry-After`, and send the same request again: it gets the first one's answer.",
  ),
  refund_exceeds_revocable: text(
    "no",
    "An earlier refund of the payment has revoked all access, so nothing is left to revoke.",
    "Refund without `revoke`.",
  ),
  REFUND_NOT_ALLOWED: text(
    "no",
    "The payment is in no state that can be refunded, or its channel takes no such refund.",
    "Refund after settlement; `GET /v1/channels` says what each channel refunds.",
  ),
  REFUND_EXCEEDS_PAYMENT: text(
    "no",
    "More would go back than is left of the payment.",
    "`details` has what is left; without an amount, exactly that is refunded.",
  ),
  REFUND_LIMIT_EXCEEDED: text(
    "no",
    "The payment has as many refunds as its channel takes.",
    "Give the rest back outside.",
  ),
  REFUND_CHANNEL_REJECTED: text(
    "no",
    "The channel rejected the refund. Nothing was given back.",
    "`channel_reason` of the refund says why; a new refund may be tried.",
  ),
  PAYLOAD_TOO_LARGE: text(
    "no",
    "The body is larger than the operation takes: 64 KiB for most.",
    "Send less: a smaller picture, fewer texts.",
  ),
  UNSUPPORTED_MEDIA_TYPE: text(
    "no",
    "The body is not sent as JSON, or is compressed.",
    "Send `Content-Type: application/json` and no `Content-Encoding`.",
  ),
  MISSING_REQUIRED_FIELD: text(
    "no",
    "A field that the operation needs is not there.",
    "`field` names it, and `details` all of them.",
  ),
  INVALID_REQUEST: text(
    "no",
    "A field, or a header, has a value that it cannot have.",
    "`field` names it; the message says what it has to be.",
  ),
  INVALID_PRICING: text(
    "no",
    "The prices of the service do not fit its payment methods or its currency.",
    "Give each payment method that is on its prices; amounts are in minor units.",
  ),
  INVALID_URL: text(
    "no",
    "An address is not one that can be called: not https, or inside a private network.",
    "Give a public https address; a sandbox on this machine takes local ones too.",
  ),
  INVALID_PUBLIC_KEY: text(
    "no",
    "The key is no X25519 public key of 32 bytes in base64.",
    "Make a key pair with NaCl's box, and register its public half.",
  ),
  INVALID_IMAGE: text(
    "no",
    "The image is no PNG, JPEG, WebP or GIF that can be opened, or is too large.",
    "Send the picture itself in base64.",
  ),
  QR_NOT_FOUND: text(
    "no",
    "There is no QR code in the picture that could be read.",
    "Take a sharper picture, from nearer by.",
  ),
  UNSUPPORTED_CHANNEL: text(
    "no",
    "There is no such channel here.",
    "`GET /v1/channels` lists all.",
  ),
  revocation_target_invalid_type: text(
    "no",
    "The type of access is none that there is.",
    "The message lists the types.",
  ),
  revocation_scope_invalid: text(
    "no",
    "The scope is none that this type of access has.",
    "Use `all`, `read:full`, `read:detail` or `read:summary`; the message says which.",
  ),
  revocation_limit_exceeded: text(
    "no",
    "A refund would revoke more targets than one may, or a payment has too many access items.",
    "Revoke them by several refunds, or fewer of them.",
  ),
  CHANNEL_UNAVAILABLE: text(
    "no",
    "None of the service's channels can take this payment from this payer in this currency.",
    "The message lists what the service accepts; ask for another channel or currency.",
  ),
  CHANNEL_NO_DEEPLINK: text("no", "The channel makes no links.", "Pay by QR code instead."),
  CHANNEL_ERROR: text(
    "same",
    "The channel answered that it did not do it, or answered nonsense. Nothing was charged.",
    "Try again under a new key, or pay by another channel.",
  ),
  CHANNEL_TEMPORARILY_UNAVAILABLE: text(
    "later",
    "The channel is over its rate or away, and so is the fallback.",
    "Wait for `Retry-After` seconds.",
  ),
  TEMPORARILY_UNAVAILABLE: text(
    "later",
    "The database is away, or the process is stopping. Nothing was done.",
    "Send the same request again after `Retry-After`.",
  ),
  OUTCOME_UNKNOWN: text(
    "same",
    "It may or may not have been done: the database did not answer in time.",
    "Send the same request under the same `Idempotency-Key`: its answer says what happened.",
  ),
  OVERLOADED: text(
    "later",
    "The process serves as many requests as it can. Nothing was begun.",
    "Send the same request again in a second.",
  ),
  INTERNAL_ERROR: text(
    "same",
    "A defect of the service. What was asked for may have been done.",
    "Send the same request again under the same key; tell the operator the `request_id`.",
  ),
}
