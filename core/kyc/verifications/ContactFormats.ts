/** Formats of e-mail addresses, phone numbers and countries. */
export interface ContactFormats {
  readonly isEmail: (text: string) => boolean
  /** Returns one form for all addresses of a mailbox, as far as they can be recognized. */
  readonly mailbox: (email: string) => string
  /**
   * Tells whether it is a phone number in E.164 form: `+`, country code and number, digits only.
   */
  readonly isPhone: (text: string) => boolean
  /** Tells whether it is an ISO 3166-1 alpha-2 code, in capitals. */
  readonly isCountry: (text: string) => boolean
}
