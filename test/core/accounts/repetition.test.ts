import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { createAccount } from "../../../core/accounts/createAccount.ts"
import { issueKey } from "../../../core/keys/issueKey.ts"
import { listKeys } from "../../../core/keys/listKeys.ts"
import { rollKey } from "../../../core/keys/rollKey.ts"
import { answerOnce } from "../../../core/idempotency/answerOnce.ts"
import { ManifestInput } from "../../../core/registry/ManifestInput.ts"
import { registerService } from "../../../core/registry/registerService.ts"
import { decode } from "../../../core/shared/Decode.ts"
import { core, open } from "../../support/core.ts"
import { aManifest } from "../../support/manifests.ts"

const manifest = Result.getOrThrow(decode(ManifestInput)(aManifest()))

type Verb =
  | ReturnType<typeof createAccount>
  | ReturnType<typeof issueKey>
  | ReturnType<typeof rollKey>
  | ReturnType<typeof registerService>

const once = (
  account: string,
  verb: Effect.Effect<unknown, Effect.Error<Verb>, Effect.Services<Verb>>,
) => ({
  request: {
    account_id: account,
    key: "first-try",
    request: "POST /v1/something {}",
    render: (view: unknown) => JSON.stringify(view),
    optimistic: false,
  },
  verb,
})

describe("what a verb issues under an Idempotency-Key", () => {
  it.effect("is shown again to whoever repeats the request, and is made once", () =>
    Effect.gen(function* () {
      const caller = yield* open("oracle")
      const mine = caller.account.id
      const verbs = [
        once("operator", createAccount({ name: "P", kind: "buyer", agent_id: "pythia" })),
        once(`${mine} issue`, issueKey(caller, {})),
        once(`${mine} roll`, rollKey(caller, caller.api_key_id, { grace_period_seconds: 60 })),
        once(`${mine} register`, registerService(caller, manifest)),
      ]
      for (const { request, verb } of verbs) {
        const first = yield* answerOnce(request, verb)
        const again = yield* answerOnce(request, verb)
        assert.deepStrictEqual([first.replayed, again.replayed], [false, true])
        assert.strictEqual(again.text, first.text)
      }
      assert.lengthOf((yield* listKeys(caller, { limit: 20 })).data, 3)
    }).pipe(Effect.provide(core())),
  )
})
