import { Result } from "effect"
import { describe, expect, test } from "vitest"
import { contactRules } from "../../../../adapters/identity/contactRules.ts"
import { identityRules } from "../../../../core/kyc/verifications/Invalid.ts"
import { KYC_LEVELS } from "../../../../core/channels/Channel.ts"
import {
  documentsMissing,
  masked,
  readOtpAnswer,
  readSubmission,
  requiredFor,
  VerifyInput,
} from "../../../../core/kyc/verifications/Submission.ts"
import { decode } from "../../../../core/shared/Decode.ts"
import { T0 } from "../../../support/records.ts"
import { DATA } from "../kycWorld.ts"

const parse = decode(VerifyInput, identityRules)

/** Returns the field and the reason for which a body is refused; undefined if it is complete. */
const flaw = (body: unknown) => {
  const read = Result.flatMap(parse(body), (input) => readSubmission(input, contactRules, T0))
  const failure = Result.isFailure(read) ? read.failure : documentsMissing(read.success)
  if (failure === undefined) return undefined
  expect(failure.code).toBe("validation_error")
  const { field, reason } = failure.details as { readonly field: string; readonly reason: string }
  return `${field} ${reason}`
}

const body = (level: keyof typeof DATA, said: object = {}) => ({
  agent_id: "agent",
  level,
  data: { ...DATA[level], ...said },
})

const without = (level: keyof typeof DATA, field: string) => {
  const { [field]: _gone, ...data } = DATA[level] as { readonly [field: string]: unknown }
  return { agent_id: "agent", level, data }
}

describe("a submission", () => {
  test.each(KYC_LEVELS)("of %s is complete with the fields of its level", (level) => {
    expect(flaw(body(level))).toBeUndefined()
  })

  const required = KYC_LEVELS.flatMap((level) =>
    Object.keys(DATA[level]).map((field) => [level, field] as const),
  )
  test.each(required)("of %s needs %s", (level, field) => {
    expect(flaw(without(level, field))).toBe(`data.${field} missing_field`)
    expect(flaw(body(level, { [field]: "  " }))).toMatch(`data.${field} `)
  })

  test.each<[string, object, string]>([
    ["no agent", { level: "basic" }, "agent_id missing_field"],
    ["no level", { agent_id: "a" }, "level missing_field"],
    ["no data", { agent_id: "a", level: "basic" }, "data.email missing_field"],
    ["a level that there is not", { agent_id: "a", level: "gold" }, "level invalid_format"],
    ["data of text", { agent_id: "a", level: "basic", data: "x" }, "data invalid_format"],
    ["an e-mail of a number", body("basic", { email: 5 }), "data.email invalid_format"],
    ["an e-mail without a domain", body("basic", { email: "ada" }), "data.email invalid_format"],
    [
      "a header in the e-mail",
      body("basic", { email: "a@b.co\nBcc: x" }),
      "data.email invalid_format",
    ],
    ["two e-mails", body("basic", { email: "a@b.co,c@d.co" }), "data.email invalid_format"],
    ["a local phone", body("basic", { phone: "4155550123" }), "data.phone invalid_format"],
    [
      "a phone with blanks",
      body("basic", { phone: "+1 415 555 0123" }),
      "data.phone invalid_format",
    ],
    [
      "a phone that is too short",
      body("basic", { phone: "+1415555" }),
      "data.phone invalid_format",
    ],
    [
      "a phone of no country",
      body("basic", { phone: "+999123456789" }),
      "data.phone invalid_format",
    ],
    ["a country in full", body("enhanced", { country: "Germany" }), "data.country invalid_format"],
    [
      "a country in small letters",
      body("enhanced", { country: "de" }),
      "data.country invalid_format",
    ],
    [
      "a country that there is not",
      body("enhanced", { country: "ZZ" }),
      "data.country invalid_format",
    ],
    [
      "another document",
      body("enhanced", { document_type: "library_card" }),
      "data.document_type invalid_format",
    ],
    [
      "a birthday to come",
      body("enhanced", { date_of_birth: "2027-01-01" }),
      "data.date_of_birth invalid_format",
    ],
    [
      "no such day",
      body("enhanced", { date_of_birth: "1990-02-30" }),
      "data.date_of_birth invalid_format",
    ],
    [
      "a birthday long ago",
      body("enhanced", { date_of_birth: "1815-12-10" }),
      "data.date_of_birth invalid_format",
    ],
    [
      "an owner of more than all",
      body("business", { ubo_declaration: { full_name: "A", ownership_pct: 101 } }),
      "data.ubo_declaration.ownership_pct invalid_format",
    ],
    [
      "an owner without a name",
      body("business", { ubo_declaration: { ownership_pct: 1 } }),
      "data.ubo_declaration.full_name missing_field",
    ],
    [
      "a credential of a number",
      { ...body("basic"), channel_credentials: { wallet_a_user_id: 1 } },
      "channel_credentials.wallet_a_user_id invalid_format",
    ],
  ])("with %s is refused", (_name, given, expected) => {
    expect(flaw(given)).toBe(expected)
  })

  test.each(["+15551234567", "+447700900123", "+8613800138000", "+6591234567"])(
    "takes the phone %s",
    (phone) => expect(flaw(body("basic", { phone }))).toBeUndefined(),
  )

  test("a refusal never repeats what was sent", () => {
    const number = "SECRET-NUMBER-1"
    const read = parse(body("enhanced", { document_type: number, email: number }))
    expect(Result.isFailure(read)).toBe(true)
    expect(JSON.stringify(read)).not.toContain(number)
  })
})

test.each([
  [{ verification_id: "kyc_1" }, "otp"],
  [{ otp: "123456" }, "verification_id"],
  [{ verification_id: "kyc_1", otp: "12345" }, "otp"],
  [{ verification_id: "kyc_1", otp: "12345a" }, "otp"],
  [{ verification_id: "kyc_1", otp: "１２３４５６" }, "otp"],
])("the answer %j is refused for %s", (given, field) => {
  const read = readOtpAnswer(given)
  expect(Result.isFailure(read) ? read.failure.details : {}).toMatchObject({ field })
})

test.each([
  ["", ""],
  ["1", "*"],
  ["12", "*2"],
  ["123456", "***456"],
  ["P1234567", "****4567"],
  ["P".repeat(16) + "7890", "*".repeat(16) + "7890"],
  ["🦊🦊12", "**12"],
])("of the number %j the answer shows %j", (number, shown) => {
  expect(masked(number)).toBe(shown)
})

const PERSON = ["email", "phone", "country", "full_name"] as const
const COMPANY = [...PERSON, "business_name", "registration_number", "ubo_declaration"] as const
const DOCUMENT = ["document_type", "document_number"] as const

test.each([
  ["anonymous", [], []],
  ["basic", ["email", "phone"], []],
  ["enhanced", PERSON, DOCUMENT],
  ["business", COMPANY, DOCUMENT],
] as const)("the level %s requires %j, and %j of whom no channel vouches for", (...row) => {
  const [level, always, unlessVouchedFor] = row
  expect(requiredFor(level)).toEqual({ always, unlessVouchedFor })
})
