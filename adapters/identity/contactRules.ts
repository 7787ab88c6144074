import { Layer } from "effect"
import { parsePhoneNumberFromString } from "libphonenumber-js"
import validator from "validator"
import { ContactRules } from "../../core/ports/ContactRules.ts"

/** Accepts every length that is possible in the country, because new ranges open all the time. */
const isPhone = (text: string): boolean => {
  const parsed = parsePhoneNumberFromString(text)
  return parsed !== undefined && parsed.isPossible() && parsed.number === text
}

/** Removes a `+tag`: most providers deliver both to the same mailbox. */
const untagged = (email: string): string => email.replace(/(?<=.)\+[^@]*(?=@[^@]*$)/, "")

/**
 * Whether mail goes to the address exactly as written. Mail servers and their clients rewrite
 * quoted names and letters outside ASCII, some to nothing: the mail could go to another mailbox. A
 * domain with such letters is given in its ASCII form, `xn--bcher-kva.example`.
 */
const isWrittenOut = (text: string): boolean => /^[\x21-\x7e]+$/.test(text) && !text.includes('"')

/** The rules of `libphonenumber` and `validator`. */
export const contactRules: ContactRules["Service"] = {
  isEmail: (text) => isWrittenOut(text) && validator.isEmail(text),
  mailbox: (email) => untagged((validator.normalizeEmail(email) || email).toLowerCase()),
  isPhone,
  isCountry: (text) => /^[A-Z]{2}$/.test(text) && validator.isISO31661Alpha2(text),
}

/** Provides the rules for e-mail addresses, phone numbers and countries. */
export const layer: Layer.Layer<ContactRules> = Layer.succeed(ContactRules, contactRules)
