import {
  anyText,
  BadOptions,
  readCommandLine,
  refused,
  webUrl,
  wholeNumber,
} from "../../commandLine.ts"
import {
  COMMON,
  commonUsage,
  commonOf,
  EXIT_USAGE,
  type Grader,
  gradeWith,
  onlyOf,
} from "../Grader.ts"
import { type BuyerOptions, openBuyer } from "./Buyer.ts"
import { PURCHASES, TOLD, TOOLS } from "./purchases.ts"
import { REFUNDS } from "./refunds.ts"
import { RESOURCES } from "./resources.ts"
import { type Kind, KINDS } from "./Task.ts"

/**
 * All checks of an agent, in order: webhooks first, since other checks move the sandbox's clock,
 * and an agent refuses signatures from the future.
 */
export const BUYER_CHECKS = [...TOLD, ...PURCHASES, ...TOOLS, ...RESOURCES, ...REFUNDS]

const SECONDS = 900
const TASK_SECONDS = 30

const USAGE = `Usage: payport grade buyer --command COMMAND [options]
       payport grade buyer --port N [options]

Gives an agent tasks in a sandbox that goes wrong: answers get lost, prices change, names look like
another one, people do not pay. Then it looks into the sandbox's books: was anything paid twice, too
much, or to somebody else? Its person pays whatever payment it looks at or watches.

Each task comes as environment variables: TASK says it in words, TASK_KIND is its kind, BUDGET the
most that it may cost in minor units of CURRENCY; PAYPORT_URL and PAYPORT_API_KEY, AGENT_ID and
MCP_URL are the agent's; SERVICE_NAME and SERVICE_ID, RESOURCE_URL and PAY_TO, or PAYMENT_INTENT
what the task is about. Exit code 0 says that the task is done, any other that it is not.

  --command COMMAND    starts the agent, once for each task
  --port N             where the sandbox listens on 127.0.0.1 (default: any). Without --command the
                       agent asks by itself: GET /grade/task answers with a task, 204 meanwhile and
                       410 at the end; POST /grade/done takes {"task": "its id", "done": true}
  --kinds LIST         what the agent does, of ${KINDS.join(",")} (default: all)
  --receiver URL       where the agent takes webhooks; their secret is in PAYPORT_WEBHOOK_SECRET
  --only LIST          judges these checks, and those that they need
  --task-seconds N     the longest that a task may take, 1 to 600 (default ${TASK_SECONDS})
${commonUsage(SECONDS)}
Example:
  payport grade buyer --command "node agent.js" --kinds service,resource

${EXIT_USAGE}`

const kindsOf = (name: string, text: string): ReadonlySet<Kind> => {
  const known: ReadonlyArray<string> = KINDS
  const kinds = text.split(",")
  if (!kinds.every((kind) => known.includes(kind))) {
    throw refused(name, `some of ${KINDS.join(",")}`, text)
  }
  return new Set(kinds as ReadonlyArray<Kind>)
}

const OPTIONS = {
  ...COMMON,
  command: anyText,
  port: wholeNumber(0, 65_535),
  kinds: kindsOf,
  receiver: webUrl("http://127.0.0.1:3000/hook"),
  only: anyText,
  "task-seconds": wholeNumber(1, 600),
} as const

/** Grades buying agents and their clients. */
export const buyerGrader: Grader = {
  usage: USAGE,
  read: (args) => {
    const read = readCommandLine(args, OPTIONS)
    if (read === undefined) return undefined
    const { given } = read
    const { command, kinds = new Set(KINDS), only, port, receiver } = given
    if (command === undefined && port === undefined) {
      throw new BadOptions("--command is missing, or --port where the agent asks by itself.")
    }
    const common = commonOf({ ...given, seconds: given.seconds ?? SECONDS })
    const options: BuyerOptions = {
      command,
      port: port ?? 0,
      kinds,
      receiver,
      taskSeconds: given["task-seconds"] ?? TASK_SECONDS,
      seed: common.seed,
    }
    const checks = onlyOf(BUYER_CHECKS, only)
    return {
      subject: command ?? `the agent at http://127.0.0.1:${port}`,
      needs: [
        { name: "--command", given: command !== undefined, use: "starts the agent for each task" },
        { name: "--port N", given: port !== undefined, use: "where the agent asks for tasks" },
        { name: "--receiver URL", given: receiver !== undefined, use: "an event told three times" },
        ...KINDS.map((kind) => ({
          name: `--kinds ${kind}`,
          given: kinds.has(kind),
          use: "tasks of that kind",
        })),
      ],
      common,
      grade: (tell, signal) => gradeWith(checks, () => openBuyer(options, signal), tell, signal),
    }
  },
}
