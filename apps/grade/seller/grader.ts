import { BadOptions, baseUrl, readCommandLine, visible, webUrl } from "../../commandLine.ts"
import {
  addressOf,
  COMMON,
  commonOf,
  commonUsage,
  EXIT_USAGE,
  gradeWith,
  type Grader,
} from "../Grader.ts"
import { BOUND, PAID } from "./paid.ts"
import { openSeller, type SellerOptions } from "./Seller.ts"
import { UNPAID } from "./unpaid.ts"

/** All checks of a seller, in order. */
export const SELLER_CHECKS = [...UNPAID, ...PAID, ...BOUND]

/** Sellers that limit requests are waited for. */
const SECONDS = 300

const USAGE = `Usage: payport grade seller URL [--payport URL --key KEY] [options]

Asks for something that costs, by GET: unpaid, with forged and malformed payments, and, with a
buyer's key of a sandbox that the seller settles at, with real ones. It pays x402's scheme exact on
payport:sandbox, and the 402 of requirePayment.

  --payport URL        the sandbox, such as http://127.0.0.1:4020
  --key KEY            a buyer's key there
  --seller-key KEY     the seller's key there: makes its channel silent for one payment
  --other URL          another thing of the same seller that costs something
${commonUsage(SECONDS)}
Example:
  payport grade seller http://localhost:3000/reports/7 --payport http://127.0.0.1:4020 \\
    --key "$(cat .payport/demo-buyer.key)"

${EXIT_USAGE}`

const OPTIONS = {
  ...COMMON,
  payport: baseUrl,
  key: visible,
  "seller-key": visible,
  other: webUrl("http://localhost:3000/reports/8"),
} as const

/** Grades sellers of priced resources. */
export const sellerGrader: Grader = {
  usage: USAGE,
  read: (args) => {
    const read = readCommandLine(args, OPTIONS, true)
    if (read === undefined) return undefined
    const { given, positionals } = read
    const url = addressOf(positionals, "http://localhost:3000/reports/7")
    const { key, other, payport } = given
    const sellerKey = given["seller-key"]
    if ((payport === undefined) !== (key === undefined)) {
      throw new BadOptions("--payport and --key go together.")
    }
    const common = commonOf({ ...given, seconds: given.seconds ?? SECONDS })
    const options: SellerOptions = {
      url,
      other,
      payport:
        payport === undefined || key === undefined ? undefined : { url: new URL(payport), key },
      sellerKey,
      seed: common.seed,
    }
    return {
      subject: url.href,
      needs: [
        { name: "URL", given: true, use: "what costs something, by GET" },
        { name: "--payport, --key", given: key !== undefined, use: "payments of a buyer" },
        { name: "--seller-key", given: sellerKey !== undefined, use: "an unknown outcome" },
        { name: "--other URL", given: other !== undefined, use: "a payment for another thing" },
      ],
      common,
      grade: (tell, signal) =>
        gradeWith(SELLER_CHECKS, () => openSeller(options, signal), tell, signal),
    }
  },
}
