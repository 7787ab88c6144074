// The package's index would load every rule that it has, for each command that reads settings.
import isEmailAddress from "validator/lib/isEmail.js"

/**
 * Whether mail goes to the address exactly as written. Mail servers and their clients rewrite
 * quoted names and letters outside ASCII, some to nothing: the mail could go to another mailbox. A
 * domain with such letters is given in its ASCII form, `xn--bcher-kva.example`.
 */
const isWrittenOut = (text: string): boolean => /^[\x21-\x7e]+$/.test(text) && !text.includes('"')

/** Whether the text is an e-mail address that mail can be sent to. */
export const isEmail = (text: string): boolean => isWrittenOut(text) && isEmailAddress.default(text)
