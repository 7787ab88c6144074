import { Effect } from "effect"
import { type Commit, type KeyChange, Store } from "../ports/Store.ts"
import { Failure } from "../shared/Failure.ts"
import { CurrentOperator } from "./CurrentOperator.ts"

/** An operator's approval: the first of two, or the deciding one. */
export type Approval =
  | { readonly type: "first" }
  /** `keys` belong in the commit of the decision. */
  | { readonly type: "deciding"; readonly keys: ReadonlyArray<KeyChange> }

const unnamed = () =>
  new Failure({
    code: "FORBIDDEN",
    message: "Two operators must approve this. Use a named operator's key, not the shared one.",
  })

const approvalOf = (subject: string): string => `approval:${subject}`

/** Stores a claim. If the name is taken, stores nothing and returns its owner. */
const ownerBefore = Effect.fnUntraced(function* (claim: Omit<Commit, "writes">) {
  const store = yield* Store
  return yield* store.commit({ writes: [], ...claim }).pipe(
    Effect.as(undefined),
    Effect.catchTag("Conflict", (conflict) =>
      conflict.reason.type === "key_taken"
        ? Effect.succeed(conflict.reason.owner)
        : Effect.fail(conflict),
    ),
  )
})

/**
 * Records the first operator's approval with `waiting`, which changes nothing else; the approval of
 * a second operator decides. `subject` names the record in its current state, so that an approval
 * is lost when the record changes; `waiting` has guards for that state. An approval of an operator
 * who may no longer review is replaced. Repeating one's own approval has no effect.
 *
 * Fails with `FORBIDDEN` for the shared key, since it does not identify the approver.
 */
export const approveTwice = Effect.fnUntraced(function* (
  subject: string,
  waiting: Omit<Commit, "writes">,
) {
  const operator = yield* CurrentOperator
  const approver = operator?.one_of_two ?? null
  if (approver === null) return { type: "deciding", keys: [] } satisfies Approval
  if (approver === "shared") return yield* unnamed()
  const { key: owner, reviewers } = approver
  const key = approvalOf(subject)
  let keys: ReadonlyArray<KeyChange> = []
  for (;;) {
    const claim: KeyChange = { op: "claim", key, owner }
    const first = yield* ownerBefore({ ...waiting, keys: [...keys, claim] })
    if (first === undefined) return { type: "first" } satisfies Approval
    keys = [{ op: "release", key, owner: first }]
    if (reviewers.has(first)) return { type: "deciding", keys } satisfies Approval
  }
})

/**
 * Decides something that one operator may decide alone, such as a rejection. The commit removes a
 * waiting approval.
 */
export const decideAlone = Effect.fnUntraced(function* (subject: string) {
  const key = approvalOf(subject)
  const own: ReadonlyArray<KeyChange> = [
    { op: "claim", key, owner: subject },
    { op: "release", key, owner: subject },
  ]
  const first = yield* ownerBefore({ keys: own })
  const keys = first === undefined ? own : [{ op: "release", key, owner: first } as const]
  return { type: "deciding", keys } satisfies Approval
})
