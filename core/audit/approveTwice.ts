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

/**
 * Four eyes: the first operator's approval is entered with `waiting` and changes nothing else, and
 * that of another one decides. `subject` names what is approved in the state in which it is, so
 * that an approval is lost when that changes. The same operator may approve again without effect.
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
  const owner = approver.key
  const key = `approval:${subject}`
  const store = yield* Store
  return yield* store.commit({ writes: [], keys: [{ op: "claim", key, owner }], ...waiting }).pipe(
    Effect.as<Approval>({ type: "first" }),
    Effect.catchTag("Conflict", (conflict) =>
      conflict.reason.type === "key_taken" && conflict.reason.key === key
        ? Effect.succeed<Approval>({
            type: "deciding",
            keys: [{ op: "release", key, owner: conflict.reason.owner }],
          })
        : Effect.fail(conflict),
    ),
  )
})
