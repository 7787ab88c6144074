import { Effect, Exit } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import { authenticate } from "../../core/accounts/authenticate.ts"
import { createAccount } from "../../core/accounts/createAccount.ts"
import type { VerifyInput } from "../../core/kyc/verifications/Submission.ts"
import { verify } from "../../core/kyc/verifications/verify.ts"
import { DAY, toIso } from "../../core/shared/Timestamp.ts"
import { levelLimits } from "../auditor/LevelLimits.ts"
import { submissionRules } from "../auditor/invariants/submissions.ts"
import type { Observations } from "../auditor/Observation.ts"
import type { Chance } from "../random/Chance.ts"
import type { Part, Scene } from "../world/Stage.ts"
import { failedWith } from "./failedWith.ts"

type Data = NonNullable<VerifyInput["data"]>

const BIRTHDAYS = [
  "1990-12-31",
  "2000-02-29",
  "1900-01-01",
  "1899-12-31",
  "2001-02-29",
  "1985-13-01",
  "31.12.1990",
] as const

const drawBirthday = (now: number, chance: Chance): string => {
  const day = (at: number) => toIso(at).slice(0, 10)
  return chance.pick([...BIRTHDAYS, day(now), day(now + DAY)])
}

const rightData = (n: number, now: number, chance: Chance): Data => ({
  email: `submitted-${n}@example.com`,
  phone: `+4420755${String(1_000 + n)}`,
  country: "GB",
  full_name: "Ada planted",
  ...(chance.hits(0.6) && { date_of_birth: drawBirthday(now, chance) }),
  document_type: chance.pick(["passport", "national_id", "drivers_license"] as const),
  document_number: chance.pick(["QZ1234", "QZ0000", "QZ12345678", "Q1", "7"]),
  business_name: "planted Ltd",
  registration_number: "planted-1",
  ubo_declaration: { full_name: "Ada planted", ownership_pct: chance.int(0, 100) },
})

const FIELDS = [
  "email",
  "phone",
  "country",
  "full_name",
  "document_type",
  "document_number",
  "business_name",
  "registration_number",
  "ubo_declaration",
] as const

/** Leaves out a field, writes one wrongly, or does neither. */
const spoil = (data: Data, chance: Chance): Data => {
  const field = chance.pick(FIELDS)
  const { [field]: _left, ...rest } = data
  return chance.weighted<() => Data>([
    [4, () => rest],
    [1, () => ({ ...data, email: "ada at example.com" })],
    [1, () => ({ ...data, phone: "020 7550" })],
    [1, () => ({ ...data, country: "gb" })],
    [5, () => data],
  ])()
}

const CHANNELS = [
  ["wallet_a_user_id", "wallet_a"],
  ["wallet_b_open_id", "wallet_b"],
] as const

/** How a mistake is named. */
const refusalOf = (exit: Exit.Exit<unknown, unknown>): Observations["submitted"]["refused"] => {
  const failed = failedWith(exit)
  if (failed === undefined) return undefined
  const { field, reason } = (failed.details ?? {}) as { readonly [name: string]: unknown }
  return { code: failed.code, field, reason }
}

/** Submits something about an agent of its own. */
const submit = Effect.fnUntraced(function* (
  { auditor, hears, stage }: Scene,
  caller: Caller,
  n: number,
  chance: Chance,
) {
  const at = stage.now()
  const data = spoil(rightData(n, at, chance), chance)
  const known = CHANNELS.filter(() => chance.hits(0.2))
  const channel_credentials = Object.fromEntries(known.map(([name]) => [name, `${name}-${n}`]))
  const agent_id = chance.hits(0.03) ? undefined : `submitted-${n}`
  const level = chance.weighted([
    [0.2, undefined],
    [0.5, "anonymous"],
    [2, "basic"],
    [4, "enhanced"],
    [3, "business"],
  ] as const)
  const body: VerifyInput = {
    ...(agent_id !== undefined && { agent_id }),
    ...(level !== undefined && { level }),
    data,
    ...(known.length > 0 && { channel_credentials }),
  }
  const heard = JSON.parse(hears(JSON.stringify(body))) as VerifyInput
  const exit = yield* Effect.exit(verify(caller, heard))
  const answer = Exit.isSuccess(exit) ? { ...exit.value } : undefined
  const vouching = known.map(([, channel]) => channel)
  const refused = refusalOf(exit)
  auditor.see("submitted", `${n}`, { agent_id, level, data, vouching, at, answer, refused })
})

const SUBMISSIONS = 5

const run = Effect.fnUntraced(function* (scene: Scene) {
  const chance = scene.stage.chance("submitters")
  const named = { name: "Submitter", kind: "buyer", agent_id: "submitted" } as const
  const { api_key } = yield* createAccount(named)
  const caller = yield* authenticate(`Bearer ${api_key.key}`)
  for (let n = 0; n < SUBMISSIONS; n += 1) yield* submit(scene, caller, n, chance)
}, Effect.orDie)

/** An account that submits what verifies its agents, with mistakes and without. */
export const submitters: Part = {
  name: "submitters",
  rules: submissionRules,
  knowledge: [levelLimits],
  later: (scene) => [run(scene)],
}
