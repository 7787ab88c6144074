import { Schema } from "effect"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Score } from "./Verdict.ts"

/** The name of the file with the scores that are held. */
export const KEPT = "SCORES.json"

const FILE = join(import.meta.dirname, KEPT)

/** The sample of a score: mutants of these files, in so many worlds. */
export interface Sample {
  readonly only: string
  readonly worlds: number
}

const Kept = Schema.Struct({
  only: Schema.String,
  worlds: Schema.Int,
  score: Schema.Struct({
    mutants: Schema.Int,
    worlds: Schema.Int,
    together: Schema.NullOr(Schema.Int),
  }),
})
type Kept = typeof Kept.Type

const decode = Schema.decodeUnknownSync(Schema.Array(Kept))

export const readScore = async (): Promise<ReadonlyArray<Kept>> =>
  decode(JSON.parse(await readFile(FILE, "utf8")))

const isOf =
  ({ only, worlds }: Sample, { mutants }: Score) =>
  (kept: Kept): boolean =>
    kept.only === only && kept.worlds === worlds && kept.score.mutants === mutants

/**
 * Describes what is worse than the kept score of the same sample; undefined if nothing is, or none
 * was kept.
 */
export const regressionOf = (
  kept: ReadonlyArray<Kept>,
  sample: Sample,
  score: Score,
): string | undefined => {
  const held = kept.find(isOf(sample, score))?.score
  if (held === undefined) return undefined
  if (score.worlds < held.worlds) {
    return `Worlds notice ${score.worlds} of ${score.mutants}, and noticed ${held.worlds} before.`
  }
  if (score.together !== null && held.together !== null && score.together < held.together) {
    return `Together they notice ${score.together}, and noticed ${held.together} before.`
  }
  return undefined
}

/** Keeps a score in the place of the one of the same sample. */
export const keepScore = async (sample: Sample, score: Score): Promise<void> => {
  const kept = await readScore()
  const others = kept.filter((one) => !isOf(sample, score)(one))
  const held = kept.find(isOf(sample, score))?.score
  const together = score.together ?? held?.together ?? null
  const scores: ReadonlyArray<Kept> = [...others, { ...sample, score: { ...score, together } }]
  await writeFile(FILE, `${JSON.stringify(scores, null, 2)}\n`)
}
