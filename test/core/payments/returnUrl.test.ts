import { Result } from "effect"
import { describe, expect, test } from "vitest"
import { decodePayOneTime } from "../../../core/agents/OneTimeTool.ts"
import {
  AttemptInput,
  CreateIntentInput,
  CreateOneTimeInput,
  paymentRules,
} from "../../../core/payments/IntentInput.ts"
import { PayQuoteInput } from "../../../core/payments/PayQuoteInput.ts"
import { decode } from "../../../core/shared/Decode.ts"
import { ALLOWED_WAYS, REFUSED_WAYS } from "../../support/returnUrls.ts"

const service_id = "0192f0aa-0000-7000-8000-00000000feed"
const amount = { currency: "USD", value: 699 }
const description = "Summary"
const payer = { agent_id: "agent" }

type Read = (body: object) => Result.Result<unknown, unknown>

/** Every request that takes a way back, whole but for it. */
const requests: ReadonlyArray<readonly [what: string, read: Read, body: object]> = [
  [
    "a request payment",
    decode(CreateIntentInput, paymentRules),
    { service_id, type: "one_time", amount, description },
  ],
  [
    "a one-time payment",
    decode(CreateOneTimeInput, paymentRules),
    { service_id, amount, description, payer },
  ],
  ["an attempt", decode(AttemptInput, paymentRules), { amount }],
  ["a quote's payment", decode(PayQuoteInput), { quote_id: "fxq_1", service_id, description }],
  ["a tool's call", decodePayOneTime, { manifest_id: service_id }],
]

describe.each(requests)("%s", (_, read, body) => {
  test.each(REFUSED_WAYS)("has no way back that is %s", (_what, return_url) => {
    const refused = Result.match(read({ ...body, return_url }), {
      onFailure: (failure) => failure,
      onSuccess: () => "nothing",
    })
    expect(refused).toMatchObject({ code: "INVALID_REQUEST", field: "return_url" })
  })

  test.each(ALLOWED_WAYS)("keeps a way back of %s as it is", (_what, return_url) => {
    const taken = Result.match(read({ ...body, return_url }), {
      onFailure: () => "nothing",
      onSuccess: (input) => input,
    })
    expect(taken).toMatchObject({ return_url })
  })
})
