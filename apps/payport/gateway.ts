import { Redacted, Result } from "effect"
import {
  GATEWAY_RULES,
  GATEWAY_TIMEOUT,
  type HttpChannel,
} from "../../adapters/channels/http/HttpChannel.ts"
import type { Channel } from "../../core/channels/Channel.ts"
import { PayportOptionsError } from "./PayportOptions.ts"

/** A channel's gateway, which speaks the protocol of channel gateways over signed HTTP. */
export interface GatewayOptions {
  /** Which of the thirteen channels it is, such as `wallet_a`, or one of the host's own catalog. */
  readonly channel: string | Channel
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

const { least, most, usual } = GATEWAY_TIMEOUT

const ruled =
  ({ isRight }: (typeof GATEWAY_RULES)[keyof typeof GATEWAY_RULES]) =>
  (value: unknown): boolean =>
    typeof value === "string" && isRight(value)

const { base_url, callback_secret, key_id, secret } = GATEWAY_RULES

/** What each field has to be. */
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

/** The channel that a gateway is, or the first of its fields that is wrong; no value is told. */
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
    return wrong(".callbackSecret", "has to be another one than secret")
  }
  return Result.succeed({
    base_url: options.baseUrl.replace(/\/+$/, ""),
    key_id: options.keyId,
    secret: Redacted.make(options.secret),
    callback_secret: Redacted.make(options.callbackSecret),
    timeout_ms: options.timeoutMs ?? usual,
  })
}
