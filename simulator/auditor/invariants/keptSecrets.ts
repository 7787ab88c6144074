// Written independently of core/secrets on purpose: see Model.ts.

import type { Rule, Rulebook } from "../Observation.ts"
import { difference } from "../saysTheSame.ts"

/** A ring of keys as the auditor keeps it: the masters that open each key, and when it ended. */
export interface RingModel {
  readonly root: ReadonlyArray<string>
  readonly keys: ReadonlyArray<{
    readonly id: string
    readonly retired_at: number | null
    readonly masters: ReadonlyArray<string>
  }>
}

declare module "../Observation.ts" {
  interface Observations {
    /** A ring of keys after some act, and what is said about its use. */
    readonly ring_turned: {
      readonly act: string
      readonly expected: RingModel
      readonly ring: RingModel
      readonly answers: ReadonlyArray<{
        readonly question: string
        readonly expected: unknown
        readonly answer: unknown
      }>
    }
    /** Secrets that were sealed again: their texts before and after, and the keys they have. */
    readonly resealed: {
      /** The secrets before, by kind and record. */
      readonly before: ReadonlyMap<string, ReadonlyArray<string>>
      readonly after: ReadonlyMap<string, ReadonlyArray<string>>
      /** The records whose commit was refused. */
      readonly refused: ReadonlySet<string>
      /** The records whose secrets had the current key before. */
      readonly fresh: ReadonlySet<string>
      /** The keys of the secrets that were left as they were. */
      readonly left: ReadonlyArray<string>
      readonly told: {
        readonly changed: number
        readonly missed: number
        readonly named: ReadonlyArray<string>
      }
    }
  }
}

const turned: Rule<"ring_turned"> = ({ act, answers, expected, ring }) => {
  const differs = difference(expected, ring)
  if (differs !== undefined) return `has a ring of keys after ${act} with ${differs}`
  const wrong = answers.find((one) => difference(one.expected, one.answer) !== undefined)
  if (wrong === undefined) return undefined
  const { answer, expected: right, question } = wrong
  return `says of a ring of keys after ${act}, ${question}: ${String(answer)}, not ${String(right)}`
}

const sealedAnew: Rule<"resealed"> = ({ after, before, fresh, left, refused, told }) => {
  for (const [name, texts] of before) {
    const isLeft = fresh.has(name) || refused.has(name)
    const now = after.get(name)
    if (isLeft !== (now === undefined)) return `leaves ${name} sealed as it was: ${!isLeft}`
    const differs = now === undefined ? undefined : difference(texts, now)
    if (differs !== undefined) return `seals ${name} again with ${differs}`
  }
  const extra = [...after.keys()].find((name) => !before.has(name))
  if (extra !== undefined) return `seals ${extra}, which has no secrets`
  const expected = {
    changed: after.size,
    missed: refused.size,
    named: [...new Set(left)].toSorted(),
  }
  const differs = difference(expected, { ...told, named: told.named.toSorted() })
  return differs === undefined ? undefined : `tells of sealing with ${differs}`
}

/** The rules about the keys that secrets are sealed with. */
export const keptSecretRules: Rulebook = { 150: { ring_turned: turned, resealed: sealedAnew } }
