import { Effect } from "effect"
import type { ContactRules } from "../../core/ports/ContactRules.ts"
import type { CheckOutcome, IdentityVerifier } from "../../core/ports/IdentityVerifier.ts"
import type { Stage } from "../world/Stage.ts"

const passed: CheckOutcome = { type: "passed" }

const mismatch: CheckOutcome = {
  type: "failed",
  rejection: { code: "document_mismatch", message: "It is somebody else's.", details: {} },
}

/** Everybody is who they say, but for documents that end in `0000`, where anybody can tell. */
export const verifier = (stage: Stage): IdentityVerifier["Service"] => {
  const chance = stage.chance("authorities")
  return {
    confirmsCredential: () => Effect.succeed(true),
    checkFormat: () => Effect.succeed(passed),
    askAuthority: ({ data }) =>
      Effect.sync((): CheckOutcome => {
        if (chance.hits(stage.faults().authority_away)) {
          stage.log.note("authority_away")
          return { type: "unavailable", message: "The authority is away." }
        }
        return data.document_number?.endsWith("0000") === true ? mismatch : passed
      }),
    matchIdentity: () => Effect.succeed(passed),
  }
}

/** What contacts look like in a world where nobody has two addresses. */
export const contactRules: ContactRules["Service"] = {
  isEmail: (text) => text.includes("@"),
  mailbox: (email) => email.toLowerCase(),
  isPhone: (text) => text.startsWith("+"),
  isCountry: (text) => /^[A-Z]{2}$/.test(text),
}
