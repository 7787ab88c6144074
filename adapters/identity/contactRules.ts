import { Layer } from "effect"
import { parsePhoneNumberFromString } from "libphonenumber-js"
import validator from "validator"
import { ContactRules } from "../../core/ports/ContactRules.ts"

/** As long as a number's length is right for its country: new ranges open all the time. */
const isPhone = (text: string): boolean => {
  const parsed = parsePhoneNumberFromString(text)
  return parsed !== undefined && parsed.isPossible() && parsed.number === text
}

/** What is tagged reaches the same mailbox at most providers; the few others share a count. */
const untagged = (email: string): string => email.replace(/(?<=.)\+[^@]*(?=@[^@]*$)/, "")

/** The rules of `libphonenumber` and `validator`. */
export const contactRules: ContactRules["Service"] = {
  isEmail: (text) => validator.isEmail(text),
  mailbox: (email) => untagged((validator.normalizeEmail(email) || email).toLowerCase()),
  isPhone,
  isCountry: (text) => /^[A-Z]{2}$/.test(text) && validator.isISO31661Alpha2(text),
}

/** What addresses, numbers and countries look like. */
export const layer: Layer.Layer<ContactRules> = Layer.succeed(ContactRules, contactRules)
