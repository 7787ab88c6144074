import { Effect } from "effect"
import { expect, test } from "vitest"
import { catchConflict, isKeyTaken } from "../../../core/commits/catchConflict.ts"
import { Conflict, type ConflictReason } from "../../../core/commits/Commit.ts"

const taken: ConflictReason = { type: "key_taken", key: "trade:wallet_a:1", owner: "pi_1" }

const caught = (error: Conflict | Error) =>
  Effect.runSync(
    Effect.fail(error).pipe(
      catchConflict(isKeyTaken("trade:"), ({ reason }) => Effect.succeed(reason)),
      Effect.catch((failed) => Effect.succeed({ failed })),
    ),
  )

test("a conflict of the reason is handled", () => {
  expect(caught(new Conflict({ reason: taken }))).toBe(taken)
})

test.each<ConflictReason>([
  { ...taken, key: "return:trade:1" },
  { type: "stale_version", kind: "payment_intent", id: "trade:1" },
  { type: "limit_reached", counter: "trade:1", value: 1 },
  { type: "reply_taken" },
])("a conflict of another reason stays: %j", (reason) => {
  const conflict = new Conflict({ reason })
  expect(caught(conflict)).toStrictEqual({ failed: conflict })
})

test("a failure that is no conflict stays", () => {
  const other = Object.assign(new Error("another"), { _tag: "Conflict", reason: taken })
  expect(caught(other)).toStrictEqual({ failed: other })
})
