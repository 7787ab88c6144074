// Written independently of core/kyc on purpose: it decides a second time what a level asks for.

import { defaultCatalog } from "../../../core/channels/Catalog.ts"
import { DAY, type Timestamp, toIso } from "../../../core/shared/Timestamp.ts"
import { RANKS } from "../Identities.ts"
import { levelLimits } from "../LevelLimits.ts"
import type { Model } from "../Model.ts"
import type { Finding, Observations, Rulebook } from "../Observation.ts"
import { difference } from "../saysTheSame.ts"

type Data = { readonly [field: string]: unknown }

declare module "../Observation.ts" {
  interface Observations {
    /** What was submitted about an agent, by itself and once, and the answer. */
    readonly submitted: {
      readonly agent_id: string | undefined
      readonly level: string | undefined
      readonly data: Data
      /** The channels that know the payer, in their order. */
      readonly vouching: ReadonlyArray<string>
      /** When it was sent. */
      readonly at: Timestamp
      readonly answer: Data | undefined
      readonly refused:
        | { readonly code: string; readonly field: unknown; readonly reason: unknown }
        | undefined
    }
  }
}

type Submitted = Observations["submitted"]

/** The fields that each level adds to those of the levels below. */
const ADDED: ReadonlyArray<ReadonlyArray<string>> = [
  [],
  ["email", "phone"],
  ["country", "full_name", "document_type", "document_number"],
  ["business_name", "registration_number", "ubo_declaration"],
]

const rankOf = (level: string | undefined): number => RANKS.findIndex((one) => one === level)

const DOCUMENT = ["document_type", "document_number"]

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const

/** Whether a text is a day of the calendar, from 1900 to the day of `now`. */
const isBirthday = (text: string, now: Timestamp): boolean => {
  const [year = 0, month = 0, day = 0] = text.split("-").map(Number)
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || year < 1900 || day < 1) return false
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const last = month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0)
  return day <= last && text <= toIso(now - (now % DAY)).slice(0, 10)
}

/** The formats as they are in a world. */
const FORMATS: { readonly [field: string]: (text: string, now: Timestamp) => boolean } = {
  email: (text) => text.includes("@"),
  phone: (text) => text.startsWith("+"),
  country: (text) => /^[A-Z]{2}$/.test(text),
  date_of_birth: isBirthday,
}

/** Returns what is wrong, each field with its reason. */
const wrongIn = ({ agent_id, at, data, level, vouching }: Submitted): ReadonlyArray<string> => {
  const rank = rankOf(level)
  const isVouchedFor = rank < 3 && vouching.length > 0
  const due = ADDED.slice(0, rank + 1)
    .flat()
    .filter((field) => !isVouchedFor || !DOCUMENT.includes(field))
  const missing = due.filter((field) => data[field] === undefined)
  const bad = Object.entries(FORMATS).flatMap(([field, isRight]) => {
    const value = data[field]
    return typeof value !== "string" || isRight(value, at) ? [] : [field]
  })
  return [
    ...(agent_id === undefined ? ["agent_id missing_field"] : []),
    ...(level === undefined ? ["level missing_field"] : []),
    ...missing.map((field) => `data.${field} missing_field`),
    ...bad.map((field) => `data.${field} invalid_format`),
  ]
}

/** Returns a document's number as it is shown: its last characters, at most half and four. */
const masked = (number: string): string => {
  const shown = Math.min(4, Math.floor(number.length / 2))
  return "*".repeat(number.length - shown) + number.slice(number.length - shown)
}

const WHOLE = 100

const limitsOf = (rank: number, model: Model) => {
  const { atOnce, daily } = model.know(levelLimits)
  const dollars = (cents = 0) => ({ currency: "USD", value: cents / WHOLE })
  return { daily: dollars(daily[rank]), per_transaction: dollars(atOnce[rank]) }
}

/** Returns the fields that an answer has besides its id and times. */
const shownOf = ({ agent_id, data, level, vouching }: Submitted, model: Model) => {
  const rank = rankOf(level)
  const number = data["document_number"]
  const isRejected = rank === 2 && typeof number === "string" && number.endsWith("0000")
  return {
    agent_id,
    level,
    status: isRejected ? "rejected" : "pending",
    data: typeof number === "string" ? { ...data, document_number: masked(number) } : data,
    limits: limitsOf(rank, model),
    channels: defaultCatalog
      .filter(({ kyc_level }) => RANKS.indexOf(kyc_level) <= rank)
      .map(({ id }) => id),
    channel_friction_reduced: vouching.length > 0 ? true : undefined,
    friction_reduction_channels: vouching.length > 0 ? vouching : undefined,
    compliance_review_required: rank === 3 ? true : undefined,
    estimated_review_time_hours: rank === 3 ? (vouching.length > 0 ? 24 : 48) : undefined,
    rejected_for: isRejected ? "document_mismatch" : undefined,
    asks_for_code: rank === 1 && vouching.length === 0,
  }
}

/** Checks that a submission is taken and shown if it is right, and else refused for a mistake. */
const submitted = (seen: Submitted, model: Model): Finding => {
  const { answer, refused } = seen
  const wrong = wrongIn(seen)
  if (answer === undefined) {
    const { code, field, reason } = refused ?? {}
    const said = `${String(field)} ${String(reason)}`
    if (code === "validation_error" && wrong.includes(said)) return undefined
    return `is refused with ${code} for ${said}, and has ${wrong.join() || "no mistake"}`
  }
  if (wrong.length > 0) return `is taken with ${wrong.join()}`
  const { challenge, created_at: _at, rejection_reason, updated_at: _on, ...shown } = answer
  const { verification_id: _id, ...fields } = shown
  const why = rejection_reason as { readonly code: string } | undefined
  const facts = {
    ...fields,
    rejected_for: why?.code,
    asks_for_code: challenge !== undefined,
  }
  const differs = difference(shownOf(seen, model), facts)
  return differs === undefined ? undefined : `is shown with ${differs}`
}

/** The rules about what is submitted to verify an agent. */
export const submissionRules: Rulebook = { 140: { submitted } }
