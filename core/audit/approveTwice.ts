import { Effect } from "effect"
import { type Commit, type KeyChange, Store } from "../ports/Store.ts"
import { Failure } from "../shared/Failure.ts"
import { CurrentOperator } from "./CurrentOperator.ts"

/** What an operator's approval is: the first of two, or the one that decides. */
export type Approval =
  | { readonly type: "first" }
  /** `keys` belongs into the commit of the decision. */
  | { readonly type: "deciding"; readonly keys: ReadonlyArray<KeyChange> }

const unnamed = () =>
  new Failure({
    code: "FORBIDDEN",
    message: "This takes two operators. Use a named operator's key, not the shared one.",
  })

const approvalOf = (subject: string): string => `approval:${subject}`

/** Stores a claim; where somebody else has the name, nothing is stored and that owner is told. */
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
 * Four eyes: the first operator's approval is entered with `waiting` and changes nothing else, and
 * that of another one decides. `subject` names what is approved in the state in which it is, so
 * that an approval is lost when that changes; `waiting` guards that state. That of an operator who
 * may no longer review gives way. The same operator may approve again without effect.
 *
 * Fails with `FORBIDDEN` for the key that operators share: it does not tell who approves.
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
 * What takes one operator, or none, such as a rejection: an approval that waits for another's goes
 * with the decision.
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
