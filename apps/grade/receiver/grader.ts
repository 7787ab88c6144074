import {
  BadOptions,
  readCommandLine,
  refused,
  visible,
  webUrl,
  wholeNumber,
} from "../../commandLine.ts"
import {
  addressOf,
  COMMON,
  COMMON_USAGE,
  commonOf,
  EXIT_USAGE,
  gradeWith,
  type Grader,
  type Need,
} from "../Grader.ts"
import { flawOf } from "../../../core/webhooks/keys/PublicKey.ts"
import { PATIENCE } from "../Target.ts"
import { GENUINE } from "./genuine.ts"
import { ENCRYPTED, SECRETS } from "./keys.ts"
import { openReceiver, type ReceiverOptions } from "./Receiver.ts"
import { REFUSED, TOLERATED } from "./refusals.ts"
import { EFFECTS, REPEATED } from "./repeats.ts"
import type { Family } from "./Sender.ts"

/** All checks of a receiver, in order. */
export const RECEIVER_CHECKS = [
  ...GENUINE,
  ...TOLERATED,
  ...REFUSED,
  ...SECRETS,
  ...REPEATED,
  ...ENCRYPTED,
  ...EFFECTS,
]

const USAGE = `Usage: payport grade receiver URL --secret SECRET [options]

Sends deliveries to a receiver of webhooks as the service sends them, and such as it must refuse.
The receiver should be one that may take some forty events of payments that never were.

  --secret SECRET      the secret that the receiver verifies with
  --as FAMILY          endpoint: with the headers of a registered endpoint (the default), or
                       service: with those of the endpoint in a service's manifest
  --old-secret S       a secret that it takes beside the other, as while one is replaced
  --retired-secret S   a secret that it does not take any more
  --encryption-key K   a public key, 32 bytes in base64, whose secret key it has
  --old-encryption-key K   another, which is being replaced
  --effects URL        answers GET with a JSON array of the ids of the events that were taken, in
                       their order; without it nobody can see whether an event is taken twice
  --effects-within MS  how long the work on all events may take until the list shows it, up to
                       600000 (default ${PATIENCE})
  --answer-within MS   how long an answer may take (default 5000, which the service waits)
${COMMON_USAGE}
Example:
  payport grade receiver http://localhost:3000/hook --secret "$secret" \\
    --effects http://localhost:3000/taken --junit receiver.xml

${EXIT_USAGE}`

const familyOf = (name: string, text: string): Family => {
  if (text === "endpoint" || text === "service") return text
  throw refused(name, "endpoint or service", text)
}

const publicKey = (name: string, text: string): string => {
  const flaw = flawOf(text)
  if (flaw === undefined) return text
  throw new BadOptions(`--${name} ${flaw}.`)
}

const OPTIONS = {
  ...COMMON,
  secret: visible,
  as: familyOf,
  "old-secret": visible,
  "retired-secret": visible,
  "encryption-key": publicKey,
  "old-encryption-key": publicKey,
  effects: webUrl("http://localhost:3000/taken"),
  "effects-within": wholeNumber(1, 600_000),
  "answer-within": wholeNumber(1, 15_000),
} as const

const needsOf = (options: ReceiverOptions): ReadonlyArray<Need> => {
  const need = (name: string, value: unknown, use: string) => ({
    name,
    given: value !== undefined,
    use,
  })
  return [
    need("URL", options.url, "the receiver, which may take events that never were"),
    need("--secret", options.secret, "the secret that it verifies with"),
    need("--effects URL", options.effects, "shows what it has done: whether once, never or twice"),
    need("--old-secret", options.oldSecret, "replacing a secret, as the receiver sees it"),
    need("--retired-secret", options.retiredSecret, "that a secret ends"),
    need("--encryption-key", options.encryptionKey, "encrypted deliveries"),
    need("--old-encryption-key", options.oldEncryptionKey, "replacing a key"),
  ]
}

/** Grades receivers of webhooks. */
export const receiverGrader: Grader = {
  usage: USAGE,
  read: (args) => {
    const read = readCommandLine(args, OPTIONS, true)
    if (read === undefined) return undefined
    const { given, positionals } = read
    const url = addressOf(positionals, "http://localhost:3000/hook")
    if (given.secret === undefined) throw new BadOptions("--secret is missing.")
    const common = commonOf(given)
    const effectsWithin = given["effects-within"]
    if (effectsWithin !== undefined && given.effects === undefined) {
      throw new BadOptions("--effects-within wants --effects, where the list is.")
    }
    const options: ReceiverOptions = {
      url,
      secret: given.secret,
      as: given.as ?? "endpoint",
      oldSecret: given["old-secret"],
      retiredSecret: given["retired-secret"],
      encryptionKey: given["encryption-key"],
      oldEncryptionKey: given["old-encryption-key"],
      effects: given.effects,
      within: given["answer-within"] ?? PATIENCE,
      effectsWithin: effectsWithin ?? PATIENCE,
      seed: common.seed,
    }
    return {
      subject: url.href,
      needs: needsOf(options),
      common,
      grade: (tell, signal) =>
        gradeWith(RECEIVER_CHECKS, () => openReceiver(options, signal), tell, signal),
    }
  },
}
