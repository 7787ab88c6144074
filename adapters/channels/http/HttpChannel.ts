import type { Redacted } from "effect"
import { isPrivateUrl } from "../../shared/addresses/localHost.ts"

/** A channel of the installation with the protocol of this folder's README. */
export interface HttpChannel {
  readonly channel: string
  /** The URL of its gateway, without a final slash. */
  readonly base_url: string
  /** Identifies payport to the channel. `secret` signs requests and answers. */
  readonly key_id: string
  readonly secret: Redacted.Redacted
  /** Signs the channel's callbacks. */
  readonly callback_secret: Redacted.Redacted
  /** Time limit in milliseconds of a request that moves money or makes a charge. */
  readonly timeout_ms: number
}

/** The check of a value, and its description. */
interface Rule {
  readonly wanted: string
  readonly isRight: (text: string) => boolean
}

const SECRET: Rule = {
  wanted: "a random secret of 16 to 256 visible ASCII characters",
  isRight: (text) => /^[\x21-\x7e]{16,256}$/.test(text) && new Set(text).size >= 4,
}

const isBaseUrl = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && url.search === "" && url.hash === "" && isPrivateUrl(text)
}

/** The rules for the settings of a channel's gateway. Its two secrets must differ. */
export const GATEWAY_RULES = {
  base_url: {
    wanted: "an https URL without user name, query and fragment; http reaches this machine only",
    isRight: isBaseUrl,
  },
  key_id: {
    wanted: "1 to 128 visible ASCII characters",
    isRight: (text: string) => /^[\x21-\x7e]{1,128}$/.test(text),
  },
  secret: SECRET,
  callback_secret: SECRET,
} satisfies { readonly [field: string]: Rule }

/** Time limits of a request to a gateway, in milliseconds. A worker's job has 10 seconds. */
export const GATEWAY_TIMEOUT = { least: 100, most: 9_000, usual: 8_000 } as const
