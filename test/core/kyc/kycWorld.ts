import { Effect, Layer } from "effect"
import { contactRules } from "../../../adapters/identity/contactRules.ts"
import { messengerOf } from "../../../adapters/identity/carriers.ts"
import { sandboxVerifier } from "../../../adapters/identity/sandbox/sandboxVerifier.ts"
import type { Account } from "../../../core/accounts/Account.ts"
import { getAgent } from "../../../core/kyc/verifications/getAgent.ts"
import type { VerifyInput } from "../../../core/kyc/verifications/Submission.ts"
import { verify } from "../../../core/kyc/verifications/verify.ts"
import { ContactRules } from "../../../core/ports/ContactRules.ts"
import { IdentityVerifier } from "../../../core/ports/IdentityVerifier.ts"
import { type Message, MessageNotSent, Messenger } from "../../../core/ports/Messenger.ts"
import { Store } from "../../../core/ports/Store.ts"
import { as, buyer, world } from "../../support/world.ts"
import { makeScript } from "../../support/scriptedChannels.ts"

/** A carrier of messages: those that it has accepted, and how many it will refuse. */
export interface Post {
  readonly taken: Array<Message>
  refusing: number
}

export const makePost = (): Post => ({ taken: [], refusing: 0 })

const carrierOf = (post: Post) => (message: Message) =>
  Effect.suspend(() => {
    if (post.refusing > 0) {
      post.refusing -= 1
      return Effect.fail(new MessageNotSent({ channel: message.channel, message: "Away." }))
    }
    post.taken.push(message)
    return Effect.void
  })

/** The core with the sandbox's verifier, and messages that go to the test's post. */
export const kycWorld = (post: Post, verifier: Partial<IdentityVerifier["Service"]> = {}) =>
  Layer.mergeAll(
    world(makeScript()),
    Layer.succeed(ContactRules, contactRules),
    Layer.succeed(IdentityVerifier, { ...sandboxVerifier, ...verifier }),
    Layer.succeed(Messenger, messengerOf({ email: carrierOf(post), sms: carrierOf(post) })),
  )

export const caller = as(buyer)
export const AGENT = buyer.agent_id

/** The data that each level requires. */
export const DATA = {
  anonymous: {},
  basic: { email: "ada@example.com", phone: "+14155550123" },
  enhanced: {
    email: "ada@example.com",
    phone: "+14155550123",
    country: "GB",
    full_name: "Ada Lovelace",
    document_type: "passport",
    document_number: "P1234567",
  },
  business: {
    email: "ada@example.com",
    phone: "+14155550123",
    country: "GB",
    full_name: "Ada Lovelace",
    document_type: "passport",
    document_number: "P1234567",
    business_name: "Engines Ltd",
    registration_number: "0001815",
    ubo_declaration: { full_name: "Ada Lovelace", ownership_pct: 75 },
  },
} as const

/** Submits the data of a level with the given changes. */
export const submit = (
  level: keyof typeof DATA,
  said: Partial<VerifyInput> = {},
  account: Account = buyer,
) => verify(as(account), { agent_id: account.agent_id, level, data: DATA[level], ...said })

/** The code in the newest message about a verification. */
export const codeIn = (post: Post, verification_id: string): string => {
  const message = post.taken.findLast((taken) => taken.verification_id === verification_id)
  return /\d{6}/.exec(message?.text ?? "")?.[0] ?? ""
}

/** Returns another code. */
export const wrongCode = (code: string): string => (code === "000000" ? "111111" : "000000")

/** Verifies the buyer's agent for the level `basic`. */
export const becomeBasic = Effect.fnUntraced(function* (post: Post) {
  const { verification_id } = yield* submit("basic")
  return yield* verify(caller, { verification_id, otp: codeIn(post, verification_id) })
})

/** The level in force for the buyer's agent. */
export const levelNow = Effect.map(getAgent(caller, AGENT), ({ level }) => level)

/** The types of the buyer's events about identities, oldest first. */
export const toldOf = Effect.gen(function* () {
  const events = yield* (yield* Store).list("event", { by: { account_id: buyer.id }, limit: 100 })
  return events.filter(({ type }) => type.startsWith("kyc.")).toReversed()
})
