import { Result, Schema } from "effect"
import type { ContactFormats } from "./ContactFormats.ts"
import type { Failure } from "../../shared/Failure.ts"
import { line } from "../../shared/Text.ts"
import { fromIso, type Timestamp } from "../../shared/Timestamp.ts"
import { invalid } from "./Invalid.ts"
import { atLeast, KYC_LEVELS, type KycLevel } from "../../channels/Channel.ts"

/** The types of documents. */
const DOCUMENT_TYPES = ["passport", "national_id", "drivers_license"] as const

const words = (max: number) => Schema.optionalKey(line(max))

/** The submitted identity data. The level determines which fields are required. */
export const IdentityData = Schema.Struct({
  email: words(254).annotateKey({ description: "The email address to which a code is sent." }),
  phone: words(32).annotateKey({
    description: "The phone number with country prefix, to which a code is sent.",
  }),
  country: words(2).annotateKey({ description: "The country's two-letter ISO 3166 code." }),
  full_name: words(200).annotateKey({ description: "The full name as in the document." }),
  date_of_birth: words(10).annotateKey({ description: "The date of birth, such as `1985-12-10`." }),
  document_type: Schema.optionalKey(Schema.Literals(DOCUMENT_TYPES)).annotateKey({
    description: "The kind of document.",
  }),
  document_number: words(64).annotateKey({ description: "The number of the document." }),
  business_name: words(200).annotateKey({ description: "The registered name of the business." }),
  registration_number: words(64).annotateKey({
    description: "The registration number of the business.",
  }),
  ubo_declaration: Schema.optionalKey(
    Schema.Struct({
      full_name: line(200).annotateKey({ description: "The full name as in the document." }),
      ownership_pct: Schema.Finite.check(
        Schema.isBetween({ minimum: 0, maximum: 100 }),
      ).annotateKey({ description: "The owner's share, in percent." }),
    }),
  ).annotateKey({ description: "The beneficial owner of the business." }),
})
/** Decoded identity data. */
export type IdentityData = typeof IdentityData.Type

/** The names under which channels already know the payer. */
export const ChannelCredentials = Schema.Struct({
  wallet_a_user_id: words(256).annotateKey({ description: "The payer's id at `wallet_a`." }),
  wallet_b_open_id: words(256).annotateKey({ description: "The payer's id at `wallet_b`." }),
})
/** Decoded channel credentials. */
export type ChannelCredentials = typeof ChannelCredentials.Type

/** The channel of each credential. */
const CHANNEL_OF: { readonly [K in keyof ChannelCredentials]-?: string } = {
  wallet_a_user_id: "wallet_a",
  wallet_b_open_id: "wallet_b",
}

/** Returns the credentials with their channels. */
export const credentialsOf = (
  credentials: ChannelCredentials,
): ReadonlyArray<{ readonly channel: string; readonly credential: string }> =>
  (["wallet_a_user_id", "wallet_b_open_id"] as const).flatMap((name) => {
    const credential = credentials[name]
    return credential === undefined ? [] : [{ channel: CHANNEL_OF[name], credential }]
  })

/** The body of `POST /v1/kyc/verify`: a submission, or the answer to a code. */
export const VerifyInput = Schema.Struct({
  agent_id: words(128).annotateKey({
    description: "The agent's id, chosen by its account.",
  }),
  level: Schema.optionalKey(Schema.Literals(KYC_LEVELS)).annotateKey({
    description: "The requested level.",
  }),
  data: Schema.optionalKey(IdentityData).annotateKey({
    description:
      "The identity data that the level requires, of the person or business that the agent " +
      "acts for.",
  }),
  channel_credentials: Schema.optionalKey(ChannelCredentials).annotateKey({
    description: "The payer's ids at channels. They make a document unnecessary.",
  }),
  verification_id: Schema.optionalKey(Schema.String).annotateKey({
    description: "The verification that `otp` belongs to.",
  }),
  otp: Schema.optionalKey(Schema.String).annotateKey({ description: "The code that was sent." }),
})
/** A decoded body that has not been checked yet. */
export type VerifyInput = typeof VerifyInput.Type

/** A submission with the fields that its level requires. Documents may still be missing. */
export interface Submission {
  readonly agent_id: string
  readonly level: KycLevel
  readonly data: IdentityData
  readonly credentials: ChannelCredentials
}

type Field = keyof IdentityData

/**
 * The level from which a field is required, in the order of checks (KYC/KYB, POST /v1/kyc/verify).
 */
const REQUIRED: ReadonlyArray<readonly [Field, KycLevel]> = [
  ["email", "basic"],
  ["phone", "basic"],
  ["country", "enhanced"],
  ["full_name", "enhanced"],
  ["business_name", "business"],
  ["registration_number", "business"],
  ["ubo_declaration", "business"],
]

/** The level from which a document is required, unless a channel confirms its user. */
const DOCUMENT: ReadonlyArray<readonly [Field, KycLevel]> = [
  ["document_type", "enhanced"],
  ["document_number", "enhanced"],
]

const fieldsFrom = (level: KycLevel, fields: typeof REQUIRED): ReadonlyArray<Field> =>
  fields.flatMap(([field, from]) => (atLeast(level, from) ? [field] : []))

/** Returns the fields that a level always requires, and those that a confirmed channel replaces. */
export const requiredFor = (level: KycLevel) => ({
  always: fieldsFrom(level, REQUIRED),
  unlessVouchedFor: fieldsFrom(level, DOCUMENT),
})

const missing = ({ data, level }: Pick<Submission, "data" | "level">, fields: typeof REQUIRED) => {
  const found = fieldsFrom(level, fields).find((field) => data[field] === undefined)
  return found === undefined ? undefined : invalid(`data.${found}`, "missing_field")
}

/** The earliest accepted date of birth. */
const EARLIEST_BIRTH = "1900-01-01"

const isBirthday = (text: string, now: Timestamp): boolean => {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? fromIso(`${text}T00:00:00Z`) : undefined
  return at !== undefined && text >= EARLIEST_BIRTH && at <= now
}

/** Returns the failure for the first field with a wrong format. */
const flaw = (
  { country, date_of_birth, email, phone }: IdentityData,
  rules: ContactFormats,
  now: Timestamp,
) => {
  const wrong = (field: Field, wanted: string) => invalid(`data.${field}`, "invalid_format", wanted)
  if (email !== undefined && !rules.isEmail(email)) {
    return wrong("email", "an e-mail address in ASCII without quotes, such as ada@example.com")
  }
  if (phone !== undefined && !rules.isPhone(phone)) {
    return wrong("phone", "a phone number in E.164 form, such as +14155550123")
  }
  if (country !== undefined && !rules.isCountry(country)) {
    return wrong("country", "an ISO 3166-1 alpha-2 code in capitals, such as DE")
  }
  if (date_of_birth !== undefined && !isBirthday(date_of_birth, now)) {
    return wrong("date_of_birth", "a past date such as 1990-12-31")
  }
  return undefined
}

/**
 * Reads a submission from a decoded body. Checks that the required fields are there and that the
 * formats are right; {@link documentsMissing} checks documents.
 */
export const readSubmission = (
  input: VerifyInput,
  rules: ContactFormats,
  now: Timestamp,
): Result.Result<Submission, Failure<"validation_error">> => {
  const { agent_id, channel_credentials = {}, data = {}, level } = input
  if (agent_id === undefined) return Result.fail(invalid("agent_id", "missing_field"))
  if (level === undefined) return Result.fail(invalid("level", "missing_field"))
  const submission = { agent_id, level, data, credentials: channel_credentials }
  const failure = missing(submission, REQUIRED) ?? flaw(data, rules, now)
  return failure === undefined ? Result.succeed(submission) : Result.fail(failure)
}

/**
 * Refuses a submission without the documents of its level; returns undefined when they are there.
 */
export const documentsMissing = (submission: Submission) => missing(submission, DOCUMENT)

/** An answer to a code. */
export interface OtpAnswer {
  readonly verification_id: string
  readonly otp: string
}

/** Tells whether the body is the answer to a code rather than a submission. */
export const isOtpAnswer = ({ otp, verification_id }: VerifyInput): boolean =>
  otp !== undefined || verification_id !== undefined

/** Reads the answer to a code from a decoded body. */
export const readOtpAnswer = ({
  otp,
  verification_id,
}: VerifyInput): Result.Result<OtpAnswer, Failure<"validation_error">> => {
  if (verification_id === undefined) return Result.fail(invalid("verification_id", "missing_field"))
  if (otp === undefined) return Result.fail(invalid("otp", "missing_field"))
  return /^\d{6}$/.test(otp)
    ? Result.succeed({ verification_id, otp })
    : Result.fail(invalid("otp", "invalid_format", "a code of 6 digits"))
}

/** The most characters of a document's number that are shown. */
const SHOWN = 4

/** Masks a number except its last four characters, and never shows more than half of it. */
export const masked = (number: string): string => {
  const characters = [...number]
  const shown = Math.min(SHOWN, Math.floor(characters.length / 2))
  const hidden = characters.length - shown
  return "*".repeat(hidden) + characters.slice(hidden).join("")
}

/** Masks the document's number in what the submitter is shown. */
export const shownData = (data: IdentityData): IdentityData =>
  data.document_number === undefined
    ? data
    : { ...data, document_number: masked(data.document_number) }
