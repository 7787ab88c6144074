import {
  anyText,
  BadOptions,
  readCommandLine,
  refused,
  visible,
  wholeNumber,
} from "../../commandLine.ts"
import {
  addressOf,
  COMMON,
  COMMON_USAGE,
  commonOf,
  currencyCode,
  EXIT_USAGE,
  gradeWith,
  type Grader,
  onlyOf,
} from "../Grader.ts"
import { CALLBACKS } from "./callbacks.ts"
import { CAPTURES } from "./captures.ts"
import { CHARGES } from "./charges.ts"
import type { GatewayOptions } from "./Gateway.ts"
import { openGateway } from "./openGateway.ts"
import { REFUNDS } from "./refunds.ts"
import { SIGNATURES } from "./signatures.ts"
import { STATEMENTS } from "./statements.ts"

/** All checks of a gateway, in order. */
export const CHANNEL_CHECKS = [
  ...SIGNATURES,
  ...CHARGES,
  ...CAPTURES,
  ...REFUNDS,
  ...STATEMENTS,
  ...CALLBACKS,
]

const USAGE = `Usage: payport grade channel URL --channel NAME --key-id ID --secret SECRET [options]

Speaks with a gateway to a wallet or bank as payport does (adapters/channels/http/README.md), and as
payport never would. The gateway should be in a test mode: charges are made up, and captured and
refunded where a payer can be made to pay.

  --channel NAME       the channel that requests name
  --key-id ID          the key id that was agreed
  --secret SECRET      the secret that requests and answers are signed with
  --currency CODE      the currency of the charges (default USD)
  --pay URL            lets the payer pay when it is posted to; {out_trade_no} in it is the
                       charge's: http://127.0.0.1:4030/wallet/wallet_a/{out_trade_no}/pay
  --callbacks PORT     where callbacks arrive: the gateway has to call http://127.0.0.1:PORT as it
                       calls payport
  --callback-secret SECRET   the secret that callbacks are signed with
  --repeats-within S   in how many seconds it sends a callback twice more that fails, 1 to 600;
                       without it, a callback that does not come again is not judged
  --shows-within S     in how many seconds it shows what payers and wallets have done, and calls
                       back, 1 to 600 (default 10); without it, a charge that stays unpaid is not
                       judged
  --only IDS           these checks and those that they need, by commas
${COMMON_USAGE}
Example:
  payport grade channel http://127.0.0.1:4030 --channel wallet_a --key-id payport-wallet_a \\
    --secret "$secret" --pay "http://127.0.0.1:4030/wallet/wallet_a/{out_trade_no}/pay"

${EXIT_USAGE}`

/** Reads a URL with the place for a charge's number. */
const payUrl = (name: string, text: string): string => {
  const place = anyText(name, text)
  const url = URL.parse(place.replaceAll("{out_trade_no}", "x"))
  const isWeb = url !== null && /^https?:$/.test(url.protocol)
  if (isWeb && place.includes("{out_trade_no}")) return place
  throw refused(name, "a URL with {out_trade_no} in it", text)
}

const OPTIONS = {
  ...COMMON,
  channel: visible,
  "key-id": visible,
  secret: visible,
  currency: currencyCode,
  pay: payUrl,
  callbacks: wholeNumber(1, 65_535),
  "callback-secret": visible,
  "repeats-within": wholeNumber(1, 600),
  "shows-within": wholeNumber(1, 600),
  only: visible,
} as const

/** Grades gateways of channels. */
export const channelGrader: Grader = {
  usage: USAGE,
  read: (args) => {
    const read = readCommandLine(args, OPTIONS, true)
    if (read === undefined) return undefined
    const { given, positionals } = read
    const url = addressOf(positionals, "http://127.0.0.1:4030")
    const { channel, pay, secret } = given
    const keyId = given["key-id"]
    if (channel === undefined) throw new BadOptions("--channel is missing.")
    if (keyId === undefined) throw new BadOptions("--key-id is missing.")
    if (secret === undefined) throw new BadOptions("--secret is missing.")
    const { "callback-secret": callbackSecret, callbacks: port } = given
    if ((port === undefined) !== (callbackSecret === undefined)) {
      throw new BadOptions("--callbacks and --callback-secret go together.")
    }
    const callbacks =
      port === undefined || callbackSecret === undefined
        ? undefined
        : { port, secret: callbackSecret }
    const repeats = given["repeats-within"]
    if (repeats !== undefined && callbacks === undefined) {
      throw new BadOptions("--repeats-within wants --callbacks, where they arrive.")
    }
    const repeatsWithin = repeats === undefined ? undefined : repeats * 1_000
    const shows = given["shows-within"]
    const showsWithin = shows === undefined ? undefined : shows * 1_000
    const common = commonOf(given)
    const checks = onlyOf(CHANNEL_CHECKS, given.only)
    const code = given.currency ?? "USD"
    const waits = { repeatsWithin, showsWithin }
    const asked = { url, channel, keyId, secret, currency: code, pay, callbacks }
    const options: GatewayOptions = { ...asked, ...waits, seed: common.seed }
    return {
      subject: url.href,
      needs: [
        { name: "URL", given: true, use: "the gateway, in a test mode" },
        { name: "--channel, --key-id", given: true, use: "what requests name" },
        { name: "--secret", given: true, use: "signs requests and answers" },
        { name: "--pay URL", given: pay !== undefined, use: "whatever happens to money" },
        { name: "--callbacks PORT", given: callbacks !== undefined, use: "what it says by itself" },
        { name: "--repeats-within S", given: repeats !== undefined, use: "that it says it again" },
      ],
      common,
      grade: (tell, signal) => gradeWith(checks, () => openGateway(options, signal), tell, signal),
    }
  },
}
