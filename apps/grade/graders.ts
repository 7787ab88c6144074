import { MACHINE_USAGE } from "../reports/machineReports.ts"
import type { Grader } from "./Grader.ts"

/** Each grader is loaded when it is asked for: some bring a whole service with them. */
const GRADERS: { readonly [name: string]: () => Promise<Grader> } = {
  receiver: async () => (await import("./receiver/grader.ts")).receiverGrader,
  buyer: async () => (await import("./buyer/grader.ts")).buyerGrader,
  seller: async () => (await import("./seller/grader.ts")).sellerGrader,
  channel: async () => (await import("./channel/grader.ts")).channelGrader,
  service: async () => (await import("./service/grader.ts")).serviceGrader,
}

/** Returns what loads the grader with that name. */
export const graderOf = (name: string): (() => Promise<Grader>) | undefined =>
  Object.hasOwn(GRADERS, name) ? GRADERS[name] : undefined

/** The text of `payport grade --help`. */
export const USAGE = `Usage: payport grade receiver URL --secret SECRET [options]
       payport grade buyer --command COMMAND [options]
       payport grade seller URL [--payport URL --key KEY] [options]
       payport grade channel URL --channel NAME --key-id ID --secret SECRET [options]
       payport grade service URL --admin-key KEY [options]

Holds somebody else's software to what the protocol says of it: runs named checks against it, each
named after the clause that it follows from, and says of each that it passed, that it failed (what
was expected, what was seen, what to do), or that it could not be judged from outside, and why. It
sends requests to the addresses that it is given and to nothing else.

  receiver URL         a receiver of webhooks
  buyer                an agent that buys, or its client
  seller URL           something that costs, by x402 or by our own 402
  channel URL          a gateway to a wallet or bank
  service URL          any implementation of the protocol
${["", "Every grader has:", "", ""].join("\n")}\
  --seed SEED          repeats what a run chose (default: a new one, which is printed)
  --seconds N          the longest that the whole run may take, 1 to 3600 (default 120)
${MACHINE_USAGE}  --json               prints the report as one JSON object, and nothing meanwhile
  --help               prints this; behind a grader's name, what that one needs

Example:
  payport grade receiver http://localhost:3000/hook --secret "$secret"

It ends with 0 when everything that could be judged passed, with 1 when something failed, with 2
on a wrong option, or when it could not run to its end.
`

/** Returns the texts of all existing `--help`. */
export const allUsage = async (): Promise<string> => {
  const graders = await Promise.all(Object.values(GRADERS).map((load) => load()))
  return [USAGE, ...graders.map(({ usage }) => usage)].join("\n")
}
