import { Result } from "effect"
import { describe, expect, it, test } from "vitest"
import type { ChannelOutcome } from "../../../core/gateway/ChannelCall.ts"
import {
  type ChannelRequest,
  type ChannelRequestMove,
  machine,
  moveBy,
  NOT_FOUND_GRACE,
  waitedFor,
} from "../../../core/gateway/ChannelRequest.ts"
import { HOUR, MINUTE, SECOND } from "../../../core/shared/Timestamp.ts"
import { channelRequestIn, T0 } from "../../support/records.ts"

type Status = ChannelRequest["status"]

const STATES: ReadonlyArray<Status> = ["outstanding", "unknown", "done", "refused"]

const MOVES: { readonly [M in ChannelRequestMove as M["type"]]: M } = {
  done: { type: "done", attempts: 1, trade_no: "t-2" },
  refused: { type: "refused", attempts: 1, failure: "closed" },
  unanswered: { type: "unanswered", attempts: 1, due_at: T0 + MINUTE },
}

/** A row a state and a column a move: where it leads, `-` for an illegal one. */
const table = `
             done  refused  unanswered
outstanding  done  refused  unknown
unknown      done  refused  unknown
done         -     -        -
refused      -     -        -
`
const [head = [], ...rows] = table.split("\n").flatMap((line) => {
  const words = line.split(/ +/).filter((word) => word !== "")
  return words.length === 0 ? [] : [words]
})
const cells = rows.flatMap(([from, ...targets]) =>
  targets.map((to, column) => [from as Status, head[column] as keyof typeof MOVES, to] as const),
)

describe("a request's lifecycle", () => {
  it("is told for every state and every move", () => {
    expect(cells).toHaveLength(STATES.length * Object.keys(MOVES).length)
  })

  test.each(cells)("%s, %s: %s", (from, type, to) => {
    const moved = machine.step(channelRequestIn(from), MOVES[type])
    expect(Result.isSuccess(moved) ? moved.success.record.status : "-").toBe(to)
    expect(Result.isSuccess(moved) ? moved.success.emit : []).toStrictEqual([])
  })

  test.each(STATES.slice(0, 2))("%s: holds what is known once it is answered, no more", (from) => {
    const before = channelRequestIn(from, { attempts: 4 })
    const { due_at, status, ...common } = before as ChannelRequest & { due_at: number }
    expect([due_at, status]).toStrictEqual([T0 + 10 * SECOND, from])
    const after = (type: keyof typeof MOVES) =>
      Result.getOrThrow(machine.step(before, { ...MOVES[type], attempts: 5 })).record
    const answered = { ...common, attempts: 5 }
    expect(after("done")).toStrictEqual({ ...answered, status: "done", trade_no: "t-2" })
    expect(after("refused")).toStrictEqual({ ...answered, status: "refused", failure: "closed" })
    expect(after("unanswered")).toStrictEqual({
      ...answered,
      status: "unknown",
      due_at: T0 + MINUTE,
    })
  })
})

describe("a channel's answer", () => {
  const after = (outcome: ChannelOutcome, attempts: number, now = T0) =>
    moveBy(channelRequestIn("unknown", { attempts }), outcome, now)

  it("is final when it has done what it was asked, or would not", () => {
    expect(after({ type: "done", at: T0, trade_no: "t-2" }, 2)).toStrictEqual({
      type: "done",
      attempts: 3,
      trade_no: "t-2",
    })
    expect(after({ type: "refused", message: "closed" }, 2)).toStrictEqual({
      type: "refused",
      attempts: 3,
      failure: "closed",
    })
  })

  const unknown: ChannelOutcome = { type: "unknown", message: "no answer" }
  test.each<[ChannelOutcome, attempts: number, now: number, wait: number]>([
    [{ type: "pending" }, 0, T0, SECOND],
    [{ type: "pending" }, 1, T0, 5 * SECOND],
    [{ type: "pending" }, 9, T0, 24 * HOUR],
    [unknown, 0, T0, SECOND],
    [unknown, 9, T0, HOUR],
    [{ type: "not_found" }, 0, T0, SECOND],
    // A lost call is asked after again by the moment at which it may be repeated.
    [{ type: "not_found" }, 3, T0, NOT_FOUND_GRACE],
    [{ type: "not_found" }, 3, T0 + NOT_FOUND_GRACE, 5 * MINUTE],
    [{ type: "not_found" }, 9, T0 + NOT_FOUND_GRACE, HOUR],
  ])("%j after %i attempts is asked after again", (outcome, attempts, now, wait) => {
    expect(after(outcome, attempts, now)).toStrictEqual({
      type: "unanswered",
      attempts: attempts + 1,
      due_at: now + wait,
    })
  })
})

test.each([
  [0, 0],
  [1, SECOND],
  [4, 5 * MINUTE + 36 * SECOND],
  [5, 35 * MINUTE + 36 * SECOND],
  [7, 35 * MINUTE + 36 * SECOND + 2 * HOUR],
])("a request that was answered %i times has waited for %i ms", (attempts, waited) => {
  expect(waitedFor(attempts)).toBe(waited)
})
