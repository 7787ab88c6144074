import { createHmac } from "node:crypto"
import { answerText } from "../../../adapters/channels/http/Signature.ts"
import type { Answer } from "../Target.ts"
import type { Fields } from "./Gateway.ts"

/** Returns the HMAC in hexadecimal digits. */
export const hmac = (secret: string, text: string): string =>
  createHmac("sha256", secret).update(text).digest("hex")

/** The maximum age of a response's signature, in milliseconds. */
const FRESH = 300_000

/** Parses the body of a response; empty if it is not a JSON object. */
export const fieldsOf = (answer: Answer): Fields => {
  if (answer.status === null) return {}
  try {
    const value = JSON.parse(answer.text) as unknown
    return typeof value === "object" && value !== null ? (value as Fields) : {}
  } catch {
    return {}
  }
}

/** Returns why a response to the request with that signature is invalid; undefined if valid. */
export const flawOf = (answer: Answer, secret: string, signature: string): string | undefined => {
  if (answer.status === null) return answer.error
  const timestamp = answer.headers["x-channel-timestamp"]
  const given = answer.headers["x-channel-signature"]
  if (timestamp === undefined || given === undefined) return "no signature"
  if (!(Math.abs(Date.now() - Date.parse(timestamp)) <= FRESH)) return `the time ${timestamp}`
  const text = answerText({ status: answer.status, body: answer.text }, timestamp, signature)
  return given === hmac(secret, text) ? undefined : "a signature that does not match"
}
