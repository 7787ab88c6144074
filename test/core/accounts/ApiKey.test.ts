import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { bearerKey, hasKeyFormat, hintOf, isValid, keyText } from "../../../core/accounts/ApiKey.ts"
import {
  AccountInput,
  accountInputRules,
  PlanInput,
  planInputRules,
} from "../../../core/accounts/AccountInput.ts"
import { KeyInput, keyInputRules, RollInput, rollInputRules } from "../../../core/keys/KeyInput.ts"
import { decode } from "../../../core/shared/Decode.ts"
import { anApiKey, T0 } from "../../support/records.ts"

const TOKEN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN_-9"

describe("the header of a caller", () => {
  it.each<[string | undefined, string | undefined]>([
    [undefined, undefined],
    ["", undefined],
    ["Bearer", undefined],
    ["Bearer ", undefined],
    ["Bearer    ", undefined],
    ["Basic c2s6eA==", undefined],
    [`sk_test_${TOKEN}`, undefined],
    [`Bearersk_test_${TOKEN}`, undefined],
    ["Bearer x", "x"],
    ["bearer x", "x"],
    ["BEARER   x  ", "x"],
    ["Bearer x y", undefined],
  ])("%j holds %j", (header, key) => {
    assert.strictEqual(bearerKey(header), key)
  })
})

describe("the format of a key", () => {
  it.each([
    "",
    TOKEN,
    `sk_test_${TOKEN.slice(1)}`,
    `sk_test_${TOKEN}x`,
    `sk_prod_${TOKEN}`,
    `pk_test_${TOKEN}`,
    `xag_sk_test_${TOKEN}`,
    `sk_test_${TOKEN.slice(1)}+`,
    `sk_test_${TOKEN}\n`,
    ` sk_test_${TOKEN}`,
  ])("is not that of %j", (text) => {
    assert.isFalse(hasKeyFormat(text, "sandbox"))
  })

  it.each<["seller" | "buyer", "sandbox" | "live", string]>([
    ["seller", "sandbox", "sk_test_"],
    ["seller", "live", "sk_live_"],
    ["buyer", "sandbox", "ag_sk_test_"],
    ["buyer", "live", "ag_sk_live_"],
  ])("of a %s in %s mode begins with %s", (kind, mode, prefix) => {
    const key = keyText(kind, mode, TOKEN)
    assert.strictEqual(key, prefix + TOKEN)
    assert.isTrue(hasKeyFormat(key, mode))
    assert.isFalse(hasKeyFormat(key, mode === "live" ? "sandbox" : "live"))
    assert.strictEqual(hintOf(key), `${prefix}abcd`)
  })
})

describe("a key", () => {
  it.each<[object, number, boolean]>([
    [{ revoked_at: T0 }, T0, false],
    [{ revoked_at: T0 }, T0 - 1, false],
    [{ expires_at: T0 }, T0, false],
    [{ expires_at: T0 }, T0 - 1, true],
    [{}, T0, true],
  ])("with %j works at %i: %s", (said, at, expected) => {
    assert.strictEqual(isValid(anApiKey(said), at), expected)
  })
})

const refusal = (result: ReturnType<ReturnType<typeof decode>>) => {
  const { code, field } = Result.getOrThrow(Result.flip(result))
  return `${code} ${field}`
}

describe("what is said of a new account", () => {
  const parse = decode(AccountInput, accountInputRules)
  const account = { name: "Seller", kind: "seller", agent_id: "agent-1" }

  it.each<[object, string]>([
    [{ name: undefined }, "MISSING_REQUIRED_FIELD name"],
    [{ name: " " }, "MISSING_REQUIRED_FIELD name"],
    [{ kind: null }, "MISSING_REQUIRED_FIELD kind"],
    [{ agent_id: "" }, "MISSING_REQUIRED_FIELD agent_id"],
    [{ name: "x".repeat(129) }, "INVALID_REQUEST name"],
    [{ name: 5 }, "INVALID_REQUEST name"],
    [{ kind: "bank" }, "INVALID_REQUEST kind"],
    [{ agent_id: "a\u0000b" }, "INVALID_REQUEST agent_id"],
    [{ agent_id: "x".repeat(129) }, "INVALID_REQUEST agent_id"],
    [{ merchant_account: 5 }, "INVALID_REQUEST merchant_account"],
    [{ plan: "gold" }, "INVALID_REQUEST plan"],
  ])("%j is refused: %s", (fields, expected) => {
    assert.strictEqual(refusal(parse({ ...account, ...fields })), expected)
  })

  it.each<object>([{}, { merchant_account: null }, { merchant_account: "m-1", plan: "pro" }])(
    "%j is accepted",
    (fields) => {
      assert.isTrue(Result.isSuccess(parse({ ...account, ...fields })))
    },
  )

  it("names a plan that exists", () => {
    const refused = decode(PlanInput, planInputRules)({ plan: "gold" })
    assert.strictEqual(refusal(refused), "INVALID_REQUEST plan")
  })
})

describe("what is asked of a key", () => {
  it.each(["tomorrow", "2030-01-01", "2030-13-01T00:00:00Z", "2030-01-01T00:00:00", 1_900_000_000])(
    "expiry at %j is refused",
    (expires_at) => {
      assert.strictEqual(
        refusal(decode(KeyInput, keyInputRules)({ expires_at })),
        "INVALID_REQUEST expires_at",
      )
    },
  )

  it.each([-1, 604_801, 1.5, "60", null])("a grace period of %j is refused", (seconds) => {
    assert.strictEqual(
      refusal(decode(RollInput, rollInputRules)({ grace_period_seconds: seconds })),
      "INVALID_REQUEST grace_period_seconds",
    )
  })

  it.each<[object, number]>([
    [{}, 86_400],
    [{ grace_period_seconds: 0 }, 0],
    [{ grace_period_seconds: 604_800 }, 604_800],
  ])("the grace period of %j is %i", (input, seconds) => {
    assert.deepStrictEqual(Result.getOrThrow(decode(RollInput, rollInputRules)(input)), {
      grace_period_seconds: seconds,
    })
  })
})
