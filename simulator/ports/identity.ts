import { Effect } from "effect"
import type { CheckOutcome, IdentityVerifier } from "../../core/ports/IdentityVerifier.ts"
import { MessageNotSent, type Messenger } from "../../core/ports/Messenger.ts"

const passed: CheckOutcome = { type: "passed" }

/** Everybody is who they say. */
export const everybody: IdentityVerifier["Service"] = {
  confirmsCredential: () => Effect.succeed(true),
  checkFormat: () => Effect.succeed(passed),
  askAuthority: () => Effect.succeed(passed),
  matchIdentity: () => Effect.succeed(passed),
}

/** Nobody can be written to. */
export const nobodyReached: Messenger["Service"] = {
  channels: new Set(),
  send: ({ channel }) => Effect.fail(new MessageNotSent({ channel, message: "Nobody is there." })),
}
