import { type IdentityData, requiredFor } from "../../../../core/kyc/verifications/Submission.ts"
import { type Draft, filled, type Read, typedAt } from "../forms/Draft.ts"
import type { Issue } from "../forms/issues.ts"

type Level = Parameters<typeof requiredFor>[0]
type Field = keyof IdentityData

/** The levels that can be requested, with their subjects. */
export const LEVELS = {
  basic: "Basic: e-mail and phone",
  enhanced: "Enhanced: a person with a document",
  business: "Business: a company with its owner",
} as const

const isLevel = (text: string): text is keyof typeof LEVELS => Object.hasOwn(LEVELS, text)

export const levelOf = (draft: Draft): keyof typeof LEVELS => {
  const level = typedAt(draft, "level")
  return isLevel(level) ? level : "basic"
}

/** Whether the payer's wallet account is given, so that the wallet can confirm the payer. */
const isVouchedFor = (draft: Draft): boolean =>
  ["wallet_a_user_id", "wallet_b_open_id"].some(
    (name) => typedAt(draft, `channel_credentials.${name}`) !== "",
  )

const TEXTS = [
  "email",
  "phone",
  "country",
  "full_name",
  "date_of_birth",
  "document_type",
  "document_number",
  "business_name",
  "registration_number",
] as const satisfies ReadonlyArray<Field>

/** Returns the fields that a level needs. */
export const fieldsOf = (level: Level): ReadonlySet<Field> => {
  const { always, unlessVouchedFor } = requiredFor(level)
  const birth = always.includes("full_name") ? (["date_of_birth"] as const) : []
  return new Set([...always, ...unlessVouchedFor, ...birth])
}

/** Whether a field is required for its level. */
export const isNeeded = (draft: Draft, field: Field): boolean => {
  const { always, unlessVouchedFor } = requiredFor(levelOf(draft))
  return always.includes(field) || (unlessVouchedFor.includes(field) && !isVouchedFor(draft))
}

const ownerOf = (draft: Draft) => {
  const name = "data.ubo_declaration"
  const share = typedAt(draft, `${name}.ownership_pct`)
  return {
    ...filled(draft, `${name}.`, ["full_name"]),
    ...(share !== "" && { ownership_pct: /^\d+([.]\d+)?$/.test(share) ? Number(share) : share }),
  }
}

/** Reads the typed data, with what its level lacks; the Schema checks the rest. */
export const readIdentity = (draft: Draft): Read<unknown> => {
  const level = levelOf(draft)
  const asked = fieldsOf(level)
  const texts = TEXTS.filter((field) => asked.has(field))
  const data = filled(draft, "data.", texts)
  const credentials = filled(draft, "channel_credentials.", [
    "wallet_a_user_id",
    "wallet_b_open_id",
  ])
  const country = data.country?.toUpperCase()
  const issues = texts.flatMap((field): ReadonlyArray<Issue> =>
    isNeeded(draft, field) && data[field] === undefined
      ? [{ field: `data.${field}`, reason: "is required" }]
      : [],
  )
  return {
    body: {
      agent_id: typedAt(draft, "agent_id"),
      level,
      data: {
        ...data,
        ...(country !== undefined && { country }),
        ...(asked.has("ubo_declaration") && { ubo_declaration: ownerOf(draft) }),
      },
      ...(Object.keys(credentials).length > 0 && { channel_credentials: credentials }),
    },
    issues,
  }
}
