import { Effect } from "effect"
import { isEmail } from "../../adapters/identity/isEmail.ts"
import type { Carriers } from "../../adapters/identity/layer.ts"
import { isPrivateUrl } from "../../adapters/shared/addresses/localHost.ts"
import { isAdminKey, readPair, secret, variable } from "./variables.ts"

/** The settings of the carriers of messages. */
export const carrierVariables = {
  smtp_url: secret(
    "PAYPORT_SMTP_URL",
    "a URL such as smtps://user:password@mail.example",
    "unset: the sandbox's inbox; live mode sends no e-mail",
    (text) => /^smtps?:$/.test(URL.parse(text)?.protocol ?? ""),
  ),
  smtp_from: variable(
    "PAYPORT_SMTP_FROM",
    "an e-mail address that codes come from",
    "unset",
    (text) => (isEmail(text) ? text : undefined),
  ),
  sms_url: secret(
    "PAYPORT_SMS_URL",
    "the https URL that takes text messages, or http on this machine",
    "unset: the sandbox's inbox; live mode sends no text messages",
    isPrivateUrl,
  ),
  sms_secret: secret(
    "PAYPORT_SMS_SECRET",
    "16 to 256 visible ASCII characters without blanks, which sign text messages",
    "unset",
    isAdminKey,
  ),
}

/** The carriers of messages. Each needs two variables. */
export const readCarriers = Effect.gen(function* () {
  const smtp = yield* readPair(carrierVariables.smtp_url, carrierVariables.smtp_from)
  const sms = yield* readPair(carrierVariables.sms_url, carrierVariables.sms_secret)
  const carriers: Carriers = {
    smtp: smtp && { url: smtp[0], from: smtp[1] },
    sms: sms && { url: sms[0], secret: sms[1] },
  }
  return carriers
})
