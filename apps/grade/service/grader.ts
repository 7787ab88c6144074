import {
  BadOptions,
  baseUrl,
  type Given,
  readCommandLine,
  visible,
  wholeNumber,
} from "../../commandLine.ts"
import {
  addressOf,
  COMMON,
  commonOf,
  currencyCode,
  commonUsage,
  EXIT_USAGE,
  gradeWith,
  type Grader,
  onlyOf,
} from "../Grader.ts"
import { SERVICE_CHECKS } from "./checks.ts"
import { openService } from "./openService.ts"
import type { GivenKeys, ServiceOptions } from "./Service.ts"

const SECONDS = 900
const PAYMENTS = 20

const USAGE = `Usage: payport grade service URL --admin-key KEY [options]
       payport grade service URL --seller-key KEY --buyer-key KEY [options]

Holds an implementation of the protocol to its clauses: services, payments, refunds and webhooks,
asked as clients ask, and otherwise. Then it plays a simulated world against it, and judges what
can be seen from outside. It says which level is reached: core, money or webhooks.

It needs a test mode, in which a clock can be moved and payers can be made to act: by the routes of
our own sandbox, or by a control interface of five (apps/grade/service/README.md).

  --admin-key KEY      the operator's key of a payport: accounts are opened with it
  --seller-key KEY     the key of a seller, where accounts are there
  --buyer-key KEY      the key of a buyer
  --other-key KEY      the key of somebody who has no part in their payments
  --control URL        the control interface (default: URL/v1/sandbox, as in our sandbox)
  --control-key KEY    what it is asked with, as Authorization: Bearer
  --channel NAME       the channel of the payments (default wallet_a)
  --currency CODE      their currency (default USD)
  --receiver-port N    where webhooks arrive on 127.0.0.1 (default: any that is free)
  --receiver-url URL   where the service reaches that port, if not at 127.0.0.1
  --payments N         how many payments the world has, 0 to 1000 (default ${PAYMENTS}; 0: no world)
  --only IDS           these checks and those that they need, by commas
${commonUsage(SECONDS)}
Example:
  payport grade service http://127.0.0.1:4020 --admin-key "$(cat .payport/admin.key)"

${EXIT_USAGE}`

const OPTIONS = {
  ...COMMON,
  "admin-key": visible,
  "seller-key": visible,
  "buyer-key": visible,
  "other-key": visible,
  control: baseUrl,
  "control-key": visible,
  channel: visible,
  currency: currencyCode,
  "receiver-port": wholeNumber(0, 65_535),
  "receiver-url": baseUrl,
  payments: wholeNumber(0, 1_000),
  only: visible,
} as const

const keysOf = (given: Given<typeof OPTIONS>): GivenKeys => {
  const { "admin-key": admin, "buyer-key": buyer, "seller-key": seller } = given
  if (admin !== undefined) return { type: "operator", admin }
  if (seller !== undefined && buyer !== undefined) {
    return { type: "accounts", seller, buyer, other: given["other-key"] }
  }
  throw new BadOptions("--admin-key is missing, or --seller-key and --buyer-key in its place.")
}

/** Grades implementations of the protocol. */
export const serviceGrader: Grader = {
  usage: USAGE,
  read: (args) => {
    const read = readCommandLine(args, OPTIONS, true)
    if (read === undefined) return undefined
    const { given, positionals } = read
    const url = addressOf(positionals, "http://127.0.0.1:4020")
    const { channel = "wallet_a", control, currency: code = "USD", only } = given
    const keys = keysOf(given)
    const controlKey = given["control-key"]
    if (controlKey !== undefined && control === undefined) {
      throw new BadOptions("--control-key wants --control, where it is used.")
    }
    const common = commonOf({ ...given, seconds: given.seconds ?? SECONDS })
    const checks = onlyOf(SERVICE_CHECKS, only)
    const options: ServiceOptions = {
      url: baseUrl("address", url.href),
      keys,
      control: control === undefined ? undefined : { url: control, key: controlKey },
      channel,
      currency: code,
      receiverPort: given["receiver-port"] ?? 0,
      receiverUrl: given["receiver-url"],
      payments: given.payments ?? PAYMENTS,
      seed: common.seed,
    }
    const hasOther = keys.type === "operator" || keys.other !== undefined
    return {
      subject: options.url,
      needs: [
        { name: "URL", given: true, use: "the service, in a test mode" },
        { name: "--admin-key", given: keys.type === "operator", use: "opens accounts" },
        { name: "--seller-key, --buyer-key", given: keys.type === "accounts", use: "accounts" },
        { name: "--other-key", given: hasOther, use: "what is shown to others" },
        { name: "--control URL", given: control !== undefined, use: "in place of /v1/sandbox" },
        { name: "--receiver-url URL", given: options.receiverUrl !== undefined, use: "a tunnel" },
        { name: "--payments N", given: options.payments > 0, use: "a world with faults" },
      ],
      common,
      grade: (tell, signal) => gradeWith(checks, () => openService(options, signal), tell, signal),
    }
  },
}
