import { Redacted, Result } from "effect"
import type { HttpChannel } from "../../adapters/channels/http/HttpChannel.ts"
import { PayportOptionsError } from "./PayportOptions.ts"

/** A channel's gateway, which speaks the protocol of channel gateways over signed HTTP. */
export interface GatewayOptions {
  /** Which channel of the catalog it is, such as `wallet_a`. */
  readonly channel: string
  /** Its address, without a slash at its end. */
  readonly baseUrl: string
  /** Names payport to it. */
  readonly keyId: string
  /** Signs requests and answers: 16 to 256 visible ASCII characters. */
  readonly secret: string
  /** Signs its callbacks, in the same form. */
  readonly callbackSecret: string
  /** Milliseconds for a request: 100 to 9,000, and 8,000 unless given. */
  readonly timeoutMs?: number
}

/** Marks what {@link gateway} has made. */
export class GatewayOption {
  readonly options: GatewayOptions

  constructor(options: GatewayOptions) {
    this.options = options
  }
}

/** A gateway as one of the `channels` of a payport. */
export const gateway = (options: GatewayOptions): GatewayOption => new GatewayOption(options)

const TIMEOUT_MS = 8_000

const isUrl = (text: string): boolean => {
  const url = URL.parse(text)
  const isSafe = url?.protocol === "https:" || url?.hostname === "127.0.0.1"
  return url !== null && isSafe && `${url.username}${url.search}${url.hash}` === ""
}

const isSecret = (text: string): boolean =>
  /^[\x21-\x7e]{16,256}$/.test(text) && new Set(text).size >= 4

const SECRET = "has to be a random secret of 16 to 256 visible ASCII characters"

/** What each field has to be. */
const RULES: {
  readonly [F in keyof GatewayOptions]-?: readonly [(v: unknown) => boolean, string]
} = {
  channel: [(v) => typeof v === "string", "has to name a channel of the catalog"],
  baseUrl: [(v) => typeof v === "string" && isUrl(v), "has to be an https URL without a query"],
  keyId: [
    (v) => typeof v === "string" && /^[\x21-\x7e]{1,128}$/.test(v),
    "has to be 1 to 128 visible ASCII characters",
  ],
  secret: [(v) => typeof v === "string" && isSecret(v), SECRET],
  callbackSecret: [(v) => typeof v === "string" && isSecret(v), SECRET],
  timeoutMs: [
    (v) => v === undefined || (Number.isInteger(v) && Number(v) >= 100 && Number(v) <= 9_000),
    "has to be 100 to 9000 milliseconds",
  ],
}

/** The channel that a gateway is, or the first of its fields that is wrong; no value is told. */
export const readGateway = (
  given: unknown,
  place: number,
): Result.Result<HttpChannel, PayportOptionsError> => {
  const wrong = (field: string, message: string) =>
    Result.fail(
      new PayportOptionsError({
        option: `channels.${place}${field}`,
        message: `The option channels.${place}${field} ${message}.`,
      }),
    )
  const options = given instanceof GatewayOption ? given.options : undefined
  if (typeof options !== "object" || options === null) {
    return wrong("", "has to be gateway({ channel, baseUrl, … }) of payport/channels")
  }
  for (const [field, [isRight, message]] of Object.entries(RULES)) {
    if (!isRight(Reflect.get(options, field))) return wrong(`.${field}`, message)
  }
  return Result.succeed({
    channel: options.channel,
    base_url: options.baseUrl.replace(/\/+$/, ""),
    key_id: options.keyId,
    secret: Redacted.make(options.secret),
    callback_secret: Redacted.make(options.callbackSecret),
    timeout_ms: options.timeoutMs ?? TIMEOUT_MS,
  })
}
