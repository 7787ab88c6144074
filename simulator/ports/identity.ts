import { Effect } from "effect"
import type { ContactRules } from "../../core/ports/ContactRules.ts"
import type { CheckOutcome, IdentityVerifier } from "../../core/ports/IdentityVerifier.ts"
import type { Stage } from "../world/Stage.ts"
import { MESSAGE_CHANNELS, MessageNotSent, type Messenger } from "../../core/ports/Messenger.ts"
import type { Auditor } from "../auditor/Auditor.ts"

const passed: CheckOutcome = { type: "passed" }

const mismatch: CheckOutcome = {
  type: "failed",
  rejection: { code: "document_mismatch", message: "It is somebody else's.", details: {} },
}

/** A verifier that accepts everybody, except for documents that end in `0000`. */
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

/** The rules for contacts in a world where nobody has two addresses. */
export const contactRules: ContactRules["Service"] = {
  isEmail: (text) => text.includes("@"),
  mailbox: (email) => email.toLowerCase(),
  isPhone: (text) => text.startsWith("+"),
  isCountry: (text) => /^[A-Z]{2}$/.test(text),
}

/** Delivers codes to people: late, twice, or not at all. */
export class Post {
  readonly #stage: Stage
  readonly #arrived = new Map<string, Array<string>>()
  readonly messenger: Messenger["Service"]

  constructor(stage: Stage, auditor: Auditor) {
    this.#stage = stage
    const chance = stage.chance("post")
    this.messenger = {
      channels: new Set(MESSAGE_CHANNELS),
      send: ({ channel, id, text, verification_id }) =>
        Effect.suspend(() => {
          if (chance.hits(stage.faults().code_lost)) {
            stage.log.note("code_lost")
            return Effect.fail(new MessageNotSent({ channel, message: "Nobody took it." }))
          }
          const code = /\d{6}/.exec(text)?.[0] ?? ""
          const number = Number(/-(\d+)-[a-z]+$/.exec(id)?.[1] ?? 0)
          const at = stage.now()
          auditor.see("code", verification_id, { verification_id, code, number, at })
          const copies = chance.hits(stage.faults().code_doubled) ? 2 : 1
          if (copies === 2) stage.log.note("code_doubled")
          for (let copy = 0; copy < copies; copy += 1) this.#carry(verification_id, code, chance)
          return Effect.void
        }),
    }
  }

  /** Returns the codes that have arrived for a verification, oldest first. */
  arrived(verificationId: string): ReadonlyArray<string> {
    return this.#arrived.get(verificationId) ?? []
  }

  #carry(verificationId: string, code: string, chance: ReturnType<Stage["chance"]>): void {
    const mean = this.#stage.faults().code_delay_ms
    const delay = mean > 0 && chance.hits(0.5) ? chance.wait(mean) : 0
    if (delay > 0) this.#stage.log.note("code_delayed")
    const arrive = Effect.sync(() => {
      this.#arrived.set(verificationId, [...this.arrived(verificationId), code])
    })
    this.#stage.spawn(Effect.andThen(Effect.sleep(delay), arrive))
  }
}
