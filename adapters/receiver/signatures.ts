import { WebhookError } from "./WebhookError.ts"

/** A signature with its time: `t=…,v1=…[,v1=…][,enc=…]` (Authentication 3). */
export interface TimedSignature {
  /** Unix seconds, as in the signed text. */
  readonly t: string
  readonly signatures: ReadonlyArray<Uint8Array>
  /** The fingerprint of the body's encryption key, in base64. */
  readonly enc: string | undefined
}

const MAX_LENGTH = 4_096
const HEX = /^[0-9a-f]{64}$/
const SECONDS = /^\d{1,11}$/

const malformed = (name: string, form: string): WebhookError =>
  new WebhookError(
    "webhook_signature_invalid",
    `The ${name} header is not of the form ${form}. Hand it over as it was received.`,
  )

const pairOf = (element: string): readonly [key: string, value: string] => {
  const at = element.indexOf("=")
  return at < 0 ? [element, ""] : [element.slice(0, at), element.slice(at + 1)]
}

/**
 * Parses `Webhook-Signature` or `Service-Signature`. Ignores unknown elements, so that another
 * version of the signature can be added. Hex is lower case, and nothing is trimmed.
 */
export const parseTimed = (name: string, header: string): TimedSignature => {
  const pairs = header.length > MAX_LENGTH ? [] : header.split(",").map(pairOf)
  const valuesOf = (key: string) => pairs.filter(([k]) => k === key).map(([, value]) => value)
  const [t = "", ...furtherTimes] = valuesOf("t")
  const [enc, ...furtherKeys] = valuesOf("enc")
  const signatures = valuesOf("v1")
  const sound =
    SECONDS.test(t) &&
    furtherTimes.length + furtherKeys.length === 0 &&
    signatures.length > 0 &&
    signatures.every((value) => HEX.test(value))
  if (!sound) throw malformed(name, "t=<unix seconds>,v1=<64 hex digits>")
  return { t, signatures: signatures.map((value) => Buffer.from(value, "hex")), enc }
}

/** Parses `X-Webhook-Signature`: one or several, separated by commas (Authentication 4). */
export const parsePlain = (name: string, header: string): ReadonlyArray<Uint8Array> => {
  const values = header.length > MAX_LENGTH ? [] : header.split(",")
  if (values.length === 0 || !values.every((value) => HEX.test(value))) {
    throw malformed(name, "<64 hex digits>[,<64 hex digits>]")
  }
  return values.map((value) => Buffer.from(value, "hex"))
}
