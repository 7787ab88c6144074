import { Layer } from "effect"
import { parsePhoneNumberFromString } from "libphonenumber-js"
import validator from "validator"
import { ContactRules } from "../../core/ports/ContactRules.ts"
import { isEmail } from "./isEmail.ts"

/** Accepts every length that is possible in the country, because new ranges open all the time. */
const isPhone = (text: string): boolean => {
  const parsed = parsePhoneNumberFromString(text)
  return parsed !== undefined && parsed.isPossible() && parsed.number === text
}

/** Removes a `+tag`: most providers deliver both to the same mailbox. */
const untagged = (email: string): string => email.replace(/(?<=.)\+[^@]*(?=@[^@]*$)/, "")

/** The rules of `libphonenumber` and `validator`. */
export const contactRules: ContactRules["Service"] = {
  isEmail,
  mailbox: (email) => untagged((validator.normalizeEmail(email) || email).toLowerCase()),
  isPhone,
  isCountry: (text) => /^[A-Z]{2}$/.test(text) && validator.isISO31661Alpha2(text),
}

/** Provides the rules for e-mail addresses, phone numbers and countries. */
export const layer: Layer.Layer<ContactRules> = Layer.succeed(ContactRules, contactRules)
