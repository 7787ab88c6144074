import { Effect } from "effect"
import { MESSAGE_CHANNELS, Messenger } from "../../ports/Messenger.ts"
import { Store } from "../../ports/Store.ts"
import { Vault } from "../../ports/Vault.ts"
import { Failure } from "../../shared/Failure.ts"
import { retryConflict } from "../../idempotency/requestKey.ts"
import { MINUTE, type Timestamp } from "../../shared/Timestamp.ts"
import { type Challenge, CODE_LIFETIME, codeOf, codeText } from "../codes/Otp.ts"
import type { IdentityData } from "./Submission.ts"
import { scheduled, type VerificationIn } from "./Verification.ts"

/** Refuses a level that needs a code where the installation cannot send codes. */
export const cannotSendCodes = Effect.fnUntraced(function* () {
  const { channels } = yield* Messenger
  const absent = MESSAGE_CHANNELS.filter((channel) => !channels.has(channel))
  if (absent.length === 0) return
  return yield* new Failure({
    code: "TEMPORARILY_UNAVAILABLE",
    message:
      `The level needs a code by ${absent.join(" and ")}, and this installation cannot send any. ` +
      "Its operator must set up a provider.",
    details: { missing: absent },
    retry_after: 60,
  })
})

/** Makes a new code, and the challenge that asks for it. */
export const makeChallenge = Effect.fnUntraced(function* (
  verificationId: string,
  said: Pick<Challenge, "number" | "attempts" | "allowances">,
  at: Timestamp,
) {
  const vault = yield* Vault
  const code = codeOf(vault.sha256(vault.token()))
  const code_hash = vault.fingerprint(codeText(verificationId, said.number, code))
  const challenge: Challenge = { ...said, code_hash, expires_at: at + CODE_LIFETIME }
  return { code, challenge }
})

const textOf = (code: string): string =>
  `${code} is your verification code. It is valid for ${CODE_LIFETIME / MINUTE} minutes. ` +
  "Nobody will ever ask you for it on the phone."

/** Records that a code was sent, unless a newer code has replaced it. */
const noteSent = Effect.fnUntraced(function* (id: string, number: number) {
  const store = yield* Store
  yield* retryConflict(
    Effect.gen(function* () {
      const found = yield* store.find("verification", id)
      if (found?.status !== "pending" || found.challenge?.number !== number) return
      const record = scheduled({ ...found, retry_at: null })
      yield* store.commit({ writes: [{ op: "replace", kind: "verification", record }] })
    }),
  )
})

/**
 * Sends the code of a stored challenge to both contacts, and records it once either was taken. If
 * neither was, the worker makes a new code.
 */
export const deliverCode = Effect.fnUntraced(function* (
  verification: VerificationIn<"pending">,
  data: IdentityData,
  code: string,
) {
  const messenger = yield* Messenger
  const { account_id, challenge, id } = verification
  const number = challenge?.number ?? 0
  const subject = "Your verification code"
  const sent = yield* Effect.forEach(
    MESSAGE_CHANNELS,
    (channel) => {
      const to = channel === "email" ? data.email : data.phone
      const message = { account_id, verification_id: id, channel, to: to ?? "", subject }
      return messenger
        .send({ ...message, id: `${id}-${number}-${channel}`, text: textOf(code) })
        .pipe(
          Effect.as(true),
          Effect.catchTag("MessageNotSent", (error) =>
            Effect.as(
              Effect.logWarning("A code was not sent.").pipe(
                Effect.annotateLogs({ verification: id, channel, reason: error.message }),
              ),
              false,
            ),
          ),
        )
    },
    { concurrency: 2 },
  )
  if (sent.includes(true)) yield* noteSent(id, number)
})
