import { Effect, Layer } from "effect"
import { Messenger } from "../../core/ports/Messenger.ts"
import { messengerOf } from "./carriers.ts"
import * as contactRules from "./contactRules.ts"
import * as manualVerifier from "./manualVerifier.ts"
import * as inbox from "./sandbox/inbox.ts"
import * as sandboxVerifier from "./sandbox/sandboxVerifier.ts"
import { smsOverHttp, type SmsSettings } from "./smsOverHttp.ts"
import { smtp, type SmtpSettings } from "./smtp.ts"

/** The configured carriers. */
export interface Carriers {
  readonly smtp: SmtpSettings | undefined
  readonly sms: SmsSettings | undefined
}

const configured = Effect.fnUntraced(function* (carriers: Carriers) {
  return {
    email: carriers.smtp === undefined ? undefined : yield* smtp(carriers.smtp),
    sms: carriers.sms === undefined ? undefined : yield* smsOverHttp(carriers.sms),
  }
})

/** The sandbox's identity verification. Messages without a carrier go to the inbox. */
export const sandboxIdentity = (carriers: Carriers) =>
  Layer.mergeAll(
    contactRules.layer,
    sandboxVerifier.layer,
    inbox.layer,
    Layer.effect(
      Messenger,
      Effect.gen(function* () {
        const { email, sms } = yield* configured(carriers)
        const inboxed = yield* inbox.inboxCarrier
        return messengerOf({ email: email ?? inboxed, sms: sms ?? inboxed })
      }),
    ),
  )

/** Live identity verification, with the configured carriers and reviewers. */
export const liveIdentity = (carriers: Carriers) =>
  Layer.mergeAll(
    contactRules.layer,
    manualVerifier.layer,
    Layer.effect(Messenger, Effect.map(configured(carriers), messengerOf)),
  )
