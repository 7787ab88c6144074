import { Redacted, Result } from "effect"
import {
  GATEWAY_RULES,
  GATEWAY_TIMEOUT,
  type HttpChannel,
} from "../../adapters/channels/http/HttpChannel.ts"
import type { Channel } from "../../core/channels/Channel.ts"
import { PayportOptionsError } from "./PayportOptions.ts"

/** A channel's gateway, which implements the protocol of channel gateways over signed HTTP. */
export interface GatewayOptions {
  /** One of the thirteen channels, such as `wallet_a`, or an entry of the host's own catalog. */
  readonly channel: string | Channel
  /** The gateway's URL, without a slash at its end. */
  readonly baseUrl: string
  /** The id by which the gateway knows payport. */
  readonly keyId: string
  /** Signs requests and responses: 16 to 256 visible ASCII characters. */
  readonly secret: string
  /** Signs the gateway's callbacks, in the same form. */
  readonly callbackSecret: string
  /** Time limit of a request in milliseconds: 100 to 9,000; 8,000 by default. */
  readonly timeoutMs?: number
}

/** Marks a gateway made by {@link gateway}. */
export class GatewayOption {
  readonly options: GatewayOptions

  constructor(options: GatewayOptions) {
    this.options = options
  }
}

/** Makes a gateway for the option `channels`. */
export const gateway = (options: GatewayOptions): GatewayOption => new GatewayOption(options)

const { least, most, usual } = GATEWAY_TIMEOUT

const ruled =
  ({ isRight }: (typeof GATEWAY_RULES)[keyof typeof GATEWAY_RULES]) =>
  (value: unknown): boolean =>
    typeof value === "string" && isRight(value)

const { base_url, callback_secret, key_id, secret } = GATEWAY_RULES

/** The form that each field must have. */
const RULES: {
  readonly [F in Exclude<keyof GatewayOptions, "channel">]-?: readonly [
    (v: unknown) => boolean,
    string,
  ]
} = {
  baseUrl: [ruled(base_url), base_url.wanted],
  keyId: [ruled(key_id), key_id.wanted],
  secret: [ruled(secret), secret.wanted],
  callbackSecret: [ruled(callback_secret), callback_secret.wanted],
  timeoutMs: [
    (v) => v === undefined || (Number.isInteger(v) && Number(v) >= least && Number(v) <= most),
    `${least} to ${most} milliseconds`,
  ],
}

/** Reads the channel of a gateway; fails with its first wrong field, without showing values. */
export const readGateway = (
  option: string,
  { options }: GatewayOption,
): Result.Result<Omit<HttpChannel, "channel">, PayportOptionsError> => {
  const wrong = (field: string, message: string) =>
    Result.fail(
      new PayportOptionsError({
        option: `${option}${field}`,
        message: `The option ${option}${field} ${message}.`,
      }),
    )
  if (typeof options !== "object" || options === null) {
    return wrong("", "has to be gateway({ channel, baseUrl, … })")
  }
  for (const [field, [isRight, wanted]] of Object.entries(RULES)) {
    if (!isRight(Reflect.get(options, field))) return wrong(`.${field}`, `has to be ${wanted}`)
  }
  if (options.secret === options.callbackSecret) {
    return wrong(".callbackSecret", "has to differ from secret")
  }
  return Result.succeed({
    base_url: options.baseUrl.replace(/\/+$/, ""),
    key_id: options.keyId,
    secret: Redacted.make(options.secret),
    callback_secret: Redacted.make(options.callbackSecret),
    timeout_ms: options.timeoutMs ?? usual,
  })
}
