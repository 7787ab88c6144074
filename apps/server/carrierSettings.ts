import { Effect } from "effect"
import { contactRules } from "../../adapters/identity/contactRules.ts"
import type { Carriers } from "../../adapters/identity/layer.ts"
import { isPrivateUrl } from "./address.ts"
import { isAdminKey, read, secret, requiredBy, variable } from "./variables.ts"

/** The settings of the carriers of messages. */
export const carrierVariables = {
  smtp_url: secret("PAYPORT_SMTP_URL", "a URL such as smtps://user:password@mail.example", (text) =>
    /^smtps?:$/.test(URL.parse(text)?.protocol ?? ""),
  ),
  smtp_from: variable("PAYPORT_SMTP_FROM", "an e-mail address that codes come from", (text) =>
    contactRules.isEmail(text) ? text : undefined,
  ),
  sms_url: secret(
    "PAYPORT_SMS_URL",
    "the https URL that takes text messages, or http on this machine",
    isPrivateUrl,
  ),
  sms_secret: secret(
    "PAYPORT_SMS_SECRET",
    "16 to 256 visible ASCII characters without blanks, which sign text messages",
    isAdminKey,
  ),
}

/** The defaults that the help shows. */
export const carrierDefaults = {
  smtp_url: "unset: the sandbox's inbox; live mode sends no e-mail",
  smtp_from: "unset",
  sms_url: "unset: the sandbox's inbox; live mode sends no text messages",
  sms_secret: "unset",
} as const

/** The carriers of messages. Each needs two variables. */
export const readCarriers = Effect.gen(function* () {
  const { sms_secret, sms_url, smtp_from, smtp_url } = carrierVariables
  const url = yield* read(smtp_url)
  const from = yield* read(smtp_from)
  const smsUrl = yield* read(sms_url)
  const smsSecret = yield* read(sms_secret)
  if (url === undefined && from !== undefined) return yield* requiredBy(smtp_url, smtp_from)
  if (url !== undefined && from === undefined) return yield* requiredBy(smtp_from, smtp_url)
  if (smsUrl === undefined && smsSecret !== undefined) return yield* requiredBy(sms_url, sms_secret)
  if (smsUrl !== undefined && smsSecret === undefined) return yield* requiredBy(sms_secret, sms_url)
  const carriers: Carriers = {
    smtp: url === undefined || from === undefined ? undefined : { url, from },
    sms:
      smsUrl === undefined || smsSecret === undefined
        ? undefined
        : { url: smsUrl, secret: smsSecret },
  }
  return carriers
})
