/** What an e-mail address, a phone number and a country look like, by the world's own rules. */
export interface ContactFormats {
  readonly isEmail: (text: string) => boolean
  /** The one form that all addresses of one mailbox share, as far as they can be told. */
  readonly mailbox: (email: string) => string
  /** Whether it is a phone number in E.164 form: `+`, country code and number, digits only. */
  readonly isPhone: (text: string) => boolean
  /** Whether it is an ISO 3166-1 alpha-2 code, in capitals. */
  readonly isCountry: (text: string) => boolean
}
