import { Clock, Effect, Result } from "effect"
import { type Store, StoreUnavailable } from "../ports/Store.ts"
import { CurrentDeadline } from "../shared/CurrentDeadline.ts"
import { isDrawn } from "../shared/Id.ts"
import { canonicalJson } from "../shared/Text.ts"
import type { Commit, ConflictReason } from "./Commit.ts"
import type { Kind, Records } from "./Records.ts"

/** How long the outcome of a commit is looked for, in milliseconds. */
export const FOUND_OUT_WITHIN = 10_000

/** Waits before a commit is sent again, in milliseconds: each twice the last, up to the longest. */
const FIRST_WAIT = 50
const LONGEST_WAIT = 1_000

/** What shows that a commit was stored. */
interface Witness {
  readonly kind: Kind
  readonly id: string
  /** A record's next version as the commit makes it. */
  readonly next?: Records[Kind]
}

/**
 * What a commit stores under an id that was drawn for it alone: where it is found, the commit was
 * stored, whatever has become of the records that it changed. Where there is none, the next version
 * of one of these.
 */
const witnessOf = ({ events: [event] = [], writes }: Commit): Witness | undefined => {
  if (event !== undefined) return { kind: "event", id: event.id }
  const drawn = writes.find(({ op, record }) => op === "insert" && isDrawn(record.id))
  if (drawn !== undefined) return { kind: drawn.kind, id: drawn.record.id }
  const { kind, record } = writes.find(({ op }) => op === "replace") ?? {}
  if (kind === undefined || record === undefined) return undefined
  return { kind, id: record.id, next: { ...record, version: record.version + 1 } }
}

type Reply = NonNullable<Commit["reply"]>

type Said = "stored" | "not_stored" | "nothing"

/** What a record tells of the commit: nothing, once others have changed it since. */
const toldBy = ({ next }: Witness, found: Records[Kind] | undefined, contended: boolean): Said => {
  if (next === undefined) return found === undefined ? "not_stored" : "stored"
  if (found === undefined || found.version > next.version) return "nothing"
  if (canonicalJson(found) !== canonicalJson(next)) return "not_stored"
  // Whoever else made this version made it of the one before, which only one could: but of those
  // who would write just the same, nobody knows which one that was.
  return contended ? "nothing" : "stored"
}

/** What the answer under its key tells of the commit that was to store it: whose request it was. */
const toldByReply = (wanted: Reply, found: Reply | undefined): Said =>
  found?.holder !== wanted.holder
    ? "not_stored"
    : found.answer === wanted.answer
      ? "stored"
      : "nothing"

type Asked = Pick<Store["Service"], "find" | "findReply">

/** Asks whether a commit was stored; undefined where nothing in it could tell. */
const asking = ({ find, findReply }: Asked, wanted: Commit) => {
  const { contended = false, reply } = wanted
  // Requests that would write the same are told apart by what each of them answers.
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

/** Versions and answers do not come back: what they refuse once, they refuse for good. */
const isFinal = ({ type }: ConflictReason): boolean =>
  type === "stale_version" || type === "reply_taken"

/**
 * What has become of a commit that a store gave no answer to. Where its outcome is unknown it is
 * sent again until the store says, at most 10 seconds and not beyond the caller's deadline. That is
 * harmless: it inserts a record whose id cannot be there twice, or replaces a version that is there
 * once, so that one of the two is refused.
 * Only looking for the record would not do, since the first commit may still be on its way.
 *
 * Fails as the commit would have. What could not be found out fails with `unknown`, and names the
 * first record of the commit.
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
