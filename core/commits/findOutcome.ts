import { Clock, Effect, Result } from "effect"
import { type Store, StoreUnavailable } from "../ports/Store.ts"
import { CurrentDeadline } from "../shared/CurrentDeadline.ts"
import { isDrawn } from "../shared/Id.ts"
import { canonicalJson } from "../shared/Text.ts"
import type { Commit, ConflictReason } from "./Commit.ts"
import type { Kind, Records } from "./Records.ts"

/** The longest time to find the outcome of a commit, in milliseconds. */
export const FOUND_OUT_WITHIN = 10_000

/**
 * The waits before a commit is sent again, in milliseconds: doubled each time, up to the longest.
 */
const FIRST_WAIT = 50
const LONGEST_WAIT = 1_000

/** The record that shows whether a commit was stored. */
interface Witness {
  readonly kind: Kind
  readonly id: string
  /** The record's next version as the commit writes it. */
  readonly next?: Records[Kind]
}

/**
 * The kinds whose ids may follow from what they bill, so that two processes may insert the same
 * one. A commit that inserts nothing else makes the same as the other process.
 */
const DERIVED: ReadonlySet<Kind> = new Set<Kind>(["invoice", "payment_intent"])

/**
 * Returns the record that the commit inserts under a random id of its own. If that is found, the
 * commit was stored, whatever happened to the records that it changed. Without one, it returns the
 * next version of a record that the commit replaces.
 */
const witnessOf = ({ events: [event] = [], writes }: Commit): Witness | undefined => {
  if (event !== undefined) return { kind: "event", id: event.id }
  const random = writes.filter(({ op, record }) => op === "insert" && isDrawn(record.id))
  const drawn = random.find(({ kind }) => !DERIVED.has(kind)) ?? random[0]
  if (drawn !== undefined) return { kind: drawn.kind, id: drawn.record.id }
  const { kind, record } = writes.find(({ op }) => op === "replace") ?? {}
  if (kind === undefined || record === undefined) return undefined
  return { kind, id: record.id, next: { ...record, version: record.version + 1 } }
}

type Reply = NonNullable<Commit["reply"]>

type Said = "stored" | "not_stored" | "nothing"

/** Returns what a record shows about the commit: nothing, if others have changed it since. */
const toldBy = ({ next }: Witness, found: Records[Kind] | undefined, contended: boolean): Said => {
  if (next === undefined) return found === undefined ? "not_stored" : "stored"
  if (found === undefined || found.version > next.version) return "nothing"
  if (canonicalJson(found) !== canonicalJson(next)) return "not_stored"
  // This version replaces the one before, which only one commit could do. But if several would
  // write the same, nobody knows which one it was.
  return contended ? "nothing" : "stored"
}

/** Returns what the stored answer shows about the commit that was to store it. */
const toldByReply = (wanted: Reply, found: Reply | undefined): Said =>
  found?.holder !== wanted.holder
    ? "not_stored"
    : found.answer === wanted.answer
      ? "stored"
      : "nothing"

type Asked = Pick<Store["Service"], "find" | "findReply">

/**
 * Returns an effect that checks whether a commit was stored; undefined if nothing in it can tell.
 */
const asking = ({ find, findReply }: Asked, wanted: Commit) => {
  const { contended = false, reply } = wanted
  // Requests that would write the same are distinguished by their answers.
  if (contended && reply !== undefined) {
    const { account_id, key } = reply
    return Effect.map(findReply(account_id, key), (found) => toldByReply(reply, found))
  }
  const witness = witnessOf(wanted)
  return (
    witness &&
    Effect.map(find(witness.kind, witness.id), (found) => toldBy(witness, found, contended))
  )
}

/** Versions and answers never return to an earlier state, so these refusals are final. */
const isFinal = ({ type }: ConflictReason): boolean =>
  type === "stale_version" || type === "reply_taken"

/**
 * Finds out whether a commit without an answer was stored. If its outcome is unknown, it is sent
 * again until the store answers, for at most 10 seconds and not beyond the caller's deadline. That
 * is harmless: the commit inserts a record whose id can exist once, or replaces a version that
 * exists once, so one of the two is refused. Only looking for the record is not enough, because the
 * first commit may still be on its way.
 *
 * Fails as the commit would have. If the outcome stays unknown, fails with `unknown` and the id of
 * the commit's first record.
 */
export const findOutcome = Effect.fnUntraced(function* (
  store: Asked & Pick<Store["Service"], "commit">,
  wanted: Commit,
  lost: StoreUnavailable,
) {
  const { cause, outcome } = lost
  if (outcome === "not_stored") return yield* lost
  const subject = wanted.writes[0]?.record.id
  const unknown = new StoreUnavailable({ outcome, cause, subject })
  const ask = asking(store, wanted)
  if (ask === undefined) return yield* unknown
  const { left } = yield* CurrentDeadline
  const until = (yield* Clock.currentTimeMillis) + Math.min(FOUND_OUT_WITHIN, left())
  for (let wait = FIRST_WAIT; ; wait = Math.min(2 * wait, LONGEST_WAIT)) {
    if ((yield* Clock.currentTimeMillis) + wait > until) return yield* unknown
    yield* Effect.sleep(wait)
    const again = yield* Effect.result(store.commit(wanted))
    if (Result.isSuccess(again)) return
    if (again.failure instanceof StoreUnavailable) continue
    const found = yield* Effect.result(ask)
    if (Result.isFailure(found)) continue
    const says = found.success
    if (says === "stored") return
    if (says === "nothing") return yield* unknown
    if (isFinal(again.failure.reason)) return yield* again.failure
  }
})
