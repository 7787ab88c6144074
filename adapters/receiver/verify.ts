import { readHeaders, type WebhookHeaders } from "./headers.ts"
import { readSecrets, type Secret, signers, type WebhookSecrets } from "./secrets.ts"
import { parsePlain, parseTimed } from "./signatures.ts"
import { WebhookError } from "./WebhookError.ts"

/** A delivery as received. */
export interface WebhookRequest {
  readonly headers: WebhookHeaders
  /** Every byte as received, or their UTF-8 text. Never parsed JSON. */
  readonly body: Uint8Array | string
}

/** The options of `verify`. */
export interface VerifyOptions {
  readonly secrets: WebhookSecrets
  /** The most seconds between the signature's time and now, in either direction; 300. */
  readonly toleranceSeconds?: number
  /** Returns milliseconds since 1970; by default the system's clock. */
  readonly now?: () => number
  /** Accepts `X-Webhook-Signature` alone, which has no time and so never expires. */
  readonly untimed?: boolean
}

/** The unsigned facts of a valid signature. */
export interface Verified {
  /** The `enc` of each timed signature; undefined if it has none. */
  readonly enc: ReadonlyArray<string | undefined>
}

const TIMED = ["Webhook-Signature", "Service-Signature"] as const
const PLAIN = "X-Webhook-Signature"
const TOLERANCE_SECONDS = 300

/** One signature header and the message that it signs. */
interface Claim {
  readonly name: string
  readonly message: ReadonlyArray<string | Uint8Array>
  readonly signatures: ReadonlyArray<Uint8Array>
}

const invalid = (message: string): WebhookError =>
  new WebhookError("webhook_signature_invalid", message)

const checkSigner = (
  { name, message, signatures }: Claim,
  secrets: ReadonlyArray<Secret>,
  now: number,
) => {
  const found = signers(secrets, message, signatures)
  if (found.some(({ until }) => now <= until)) return
  if (found.length === 0) {
    throw invalid(
      `${name} matches none of the given secrets. Pass the raw body, byte for byte as it was ` +
        `received, and the secret (whsec_…) of the endpoint that it was sent to.`,
    )
  }
  const last = new Date(Math.max(...found.map(({ until }) => until))).toISOString()
  throw new WebhookError(
    "webhook_secret_expired",
    `${name} was signed with a secret that expired at ${last}. ` +
      `Set the secret that replaced it in the receiver's settings.`,
  )
}

const checkTime = (name: string, t: string, tolerance: number, now: number) => {
  const seconds = now / 1_000 - Number(t)
  if (Math.abs(seconds) <= tolerance) return
  const distance = `${Math.ceil(Math.abs(seconds))} seconds ${seconds > 0 ? "ago" : "from now"}`
  throw invalid(
    `${name} was made ${distance} by this machine's clock, but only ${tolerance} are allowed. ` +
      `Somebody has sent an old delivery again, or this clock is wrong.`,
  )
}

/** Returns the body's bytes. Throws a TypeError for parsed JSON, whose bytes are lost. */
export const bytesOf = (body: Uint8Array | string): Uint8Array => {
  if (typeof body === "string") return Buffer.from(body, "utf8")
  if (body instanceof Uint8Array) return body
  throw new TypeError("The body has to be the raw bytes of the request, from before any parsing.")
}

/**
 * Verifies the signer and the time of a delivery, in either scheme (Authentication 3 and 4). Every
 * signature header must be valid, and one of them must have a time. Throws `WebhookError` with
 * `webhook_signature_invalid` or `webhook_secret_expired`.
 */
export const verify = (request: WebhookRequest, options: VerifyOptions): Verified => {
  const { now = Date.now, toleranceSeconds = TOLERANCE_SECONDS, untimed = false } = options
  const secrets = readSecrets(options.secrets)
  const headers = readHeaders(request.headers)
  const body = bytesOf(request.body)
  const at = now()

  const timed = TIMED.flatMap((name) => {
    const header = headers.get(name.toLowerCase())
    return header === undefined ? [] : [{ name, ...parseTimed(name, header) }]
  })
  const plain = headers.get(PLAIN.toLowerCase())
  if (timed.length === 0 && !(untimed && plain !== undefined)) {
    throw invalid(
      "There is no Webhook-Signature header. The request is not a delivery, or a proxy has " +
        "removed the header.",
    )
  }
  for (const { name, t, signatures } of timed) {
    checkSigner({ name, message: [`${t}.`, body], signatures }, secrets, at)
    checkTime(name, t, toleranceSeconds, at)
  }
  if (plain !== undefined) {
    const signatures = parsePlain(PLAIN, plain)
    checkSigner({ name: PLAIN, message: [body], signatures }, secrets, at)
  }
  return { enc: timed.map(({ enc }) => enc) }
}
