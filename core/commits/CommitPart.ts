import type { Commit } from "./Commit.ts"

/** A part of a commit: what one rule has to say about the outcome of a decision. */
export type CommitPart = Partial<Commit>

/** The part that changes nothing. */
export const empty: Commit = { writes: [] }

type Fields = Required<Commit>

const concat = <A>(one: ReadonlyArray<A>, other: ReadonlyArray<A>): ReadonlyArray<A> =>
  other.length === 0 ? one : one.length === 0 ? other : [...one, ...other]

const single = (field: keyof Commit) => (): never => {
  throw new Error(`Two parts of one commit have a field of which it has one: ${field}.`)
}

/** How two parts' fields become one. A field of a commit that is missing here does not compile. */
const MERGES: { readonly [F in keyof Fields]: (one: Fields[F], other: Fields[F]) => Fields[F] } = {
  writes: concat,
  events: concat,
  guards: concat,
  keys: concat,
  reservations: concat,
  postings: concat,
  fee_days: concat,
  reply: single("reply"),
  audit: single("audit"),
}

type Merged = { -readonly [F in keyof Commit]: Commit[F] }

const add = <F extends keyof Fields>(merged: Merged, field: F, other: Fields[F] | undefined) => {
  if (other === undefined) return
  const one = merged[field] as Fields[F] | undefined
  merged[field] = one === undefined ? other : MERGES[field](one, other)
}

/**
 * Several parts as one commit, each field's entries in the order of the parts. A commit has one
 * reply and one audit note: two of either are a defect.
 */
export const merge = (...parts: ReadonlyArray<CommitPart>): Commit => {
  const merged: Merged = { writes: [] }
  // Runs several times a payment, and most parts have two or three of the fields.
  for (const part of parts) {
    for (const name in part) {
      const field = name as keyof Commit
      add(merged, field, part[field])
    }
  }
  return merged
}
