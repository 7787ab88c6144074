import { Result } from "effect"
import { describe, expect, expectTypeOf, it } from "vitest"
import * as Machine from "../../../core/shared/Machine.ts"

/** The lifecycle of a parcel: small, with one fact for each feature of a table. */
interface Facts {
  packed: object
  sent: { tracking: string; sent_at: number }
  held: { tracking: string; sent_at: number; reason: string }
  delivered: { tracking: string; sent_at: number; delivered_at: number }
  lost: { tracking?: string; lost_at: number }
}

type Event =
  | { readonly type: "posted"; readonly tracking: string; readonly at: number }
  | { readonly type: "stopped"; readonly reason: string }
  | { readonly type: "freed" }
  | { readonly type: "handed_over"; readonly at: number }
  | { readonly type: "vanished"; readonly at: number }

type Told = "parcel.sent" | "parcel.delivered" | "parcel.lost"

const lost = {
  to: "lost",
  set: ({ at }: { readonly at: number }) => ({ lost_at: at }),
  emit: "parcel.lost",
} as const

const table: Machine.Table<Facts, Event, Told> = {
  packed: {
    posted: {
      to: "sent",
      set: ({ tracking, at }) => ({ tracking, sent_at: at }),
      emit: "parcel.sent",
    },
    vanished: lost,
  },
  sent: {
    stopped: { to: "held", set: ({ reason }) => ({ reason }) },
    handed_over: {
      to: "delivered",
      set: ({ at }) => ({ delivered_at: at }),
      emit: "parcel.delivered",
    },
    vanished: { ...lost, drop: ["sent_at"] },
  },
  held: { freed: { to: "sent", set: Machine.nothing, drop: ["reason"] } },
  delivered: {},
  lost: {},
}

const { can, step, walk } = Machine.make<{ readonly id: string }, Facts, Event, Told>(table)

type Parcel = { readonly id: string } & Machine.InState<Facts>

const packed: Parcel = { id: "p", status: "packed" }
const sent: Parcel = { id: "p", status: "sent", tracking: "t", sent_at: 1 }
const held: Parcel = { ...sent, status: "held", reason: "customs" }
const delivered: Parcel = { ...sent, status: "delivered", delivered_at: 2 }
const gone: Parcel = { id: "p", status: "lost", lost_at: 3 }
const parcels = [packed, sent, held, delivered, gone]

const posted: Event = { type: "posted", tracking: "t", at: 1 }
const stopped: Event = { type: "stopped", reason: "customs" }
const freed: Event = { type: "freed" }
const handedOver: Event = { type: "handed_over", at: 2 }
const vanished: Event = { type: "vanished", at: 3 }
const events = [posted, stopped, freed, handedOver, vanished]

/** Every legal transition, written down again. */
const legal: ReadonlyArray<readonly [Parcel, Event, Parcel, ReadonlyArray<Told>]> = [
  [packed, posted, sent, ["parcel.sent"]],
  [packed, vanished, gone, ["parcel.lost"]],
  [sent, stopped, held, []],
  [sent, handedOver, delivered, ["parcel.delivered"]],
  [sent, vanished, { ...gone, tracking: "t" }, ["parcel.lost"]],
  [held, freed, sent, []],
]

const illegal = parcels.flatMap((from) =>
  events
    .filter((event) => !legal.some(([a, b]) => a === from && b === event))
    .map((event) => [from.status, event.type, from, event] as const),
)

describe("a machine", () => {
  it.each(illegal)("has no move from %s for %s", (status, type, from, event) => {
    const moved = step(from, event)
    expect(Result.isFailure(moved) && moved.failure).toMatchObject({
      _tag: "InvalidTransition",
      from: status,
      event: type,
    })
    expect(can(from, type)).toBe(false)
  })

  it("has a move or a refusal for every state and event", () => {
    expect(legal.length + illegal.length).toBe(parcels.length * events.length)
  })

  it.each(legal)("moves %o by %o", (from, event, to, emit) => {
    const before = structuredClone(from)
    const moved = step(Object.freeze(from), event)
    expect(moved).toStrictEqual(Result.succeed({ record: to, emit }))
    expect(from).toStrictEqual(before)
    expect(can(from, event.type)).toBe(true)
  })

  it("removes what a move drops: the field is not there, not even undefined", () => {
    const moved = Result.getOrThrow(step(held, freed))
    expect(Object.keys(moved.record).toSorted()).toStrictEqual([
      "id",
      "sent_at",
      "status",
      "tracking",
    ])
  })

  it("walks several moves and tells all that they told, in their order", () => {
    expect(walk(packed, [posted, stopped, freed, handedOver])).toStrictEqual(
      Result.succeed({ record: delivered, emit: ["parcel.sent", "parcel.delivered"] }),
    )
    expect(walk(packed, [])).toStrictEqual(Result.succeed({ record: packed, emit: [] }))
  })

  it("stops a walk at its first illegal move", () => {
    const walked = walk(packed, [posted, freed, handedOver])
    const refused = { _tag: "InvalidTransition", from: "sent", event: "freed" }
    expect(Result.isFailure(walked) && walked.failure).toMatchObject(refused)
  })

  it("gives its moves as data", () => {
    expect(Machine.edges(table)).toStrictEqual([
      { from: "packed", event: "posted", to: "sent" },
      { from: "packed", event: "vanished", to: "lost" },
      { from: "sent", event: "stopped", to: "held" },
      { from: "sent", event: "handed_over", to: "delivered" },
      { from: "sent", event: "vanished", to: "lost" },
      { from: "held", event: "freed", to: "sent" },
    ])
  })
})

describe("the types of a table", () => {
  type Row<From extends keyof Facts, Type extends Event["type"]> = Machine.Row<
    Facts,
    From,
    Extract<Event, { type: Type }>,
    Told
  >

  it("know the facts of each state", () => {
    expectTypeOf<Extract<Parcel, { status: "sent" }>["tracking"]>().toEqualTypeOf<string>()
    expectTypeOf<Extract<Parcel, { status: "lost" }>["tracking"]>().toEqualTypeOf<
      string | undefined
    >()
    expectTypeOf<Extract<Parcel, { status: "packed" }>>().not.toHaveProperty("tracking")
  })

  it("refuse an illegal row", () => {
    const complete: Row<"packed", "posted"> = {
      to: "sent",
      set: ({ tracking, at }) => ({ tracking, sent_at: at }),
    }
    // @ts-expect-error A row has to supply every fact that its target adds.
    const incomplete: Row<"packed", "posted"> = { to: "sent", set: ({ at }) => ({ sent_at: at }) }
    // @ts-expect-error A fact has the type that the target gives it.
    const mistyped: Row<"sent", "stopped"> = { to: "held", set: () => ({ reason: 1 }) }
    // @ts-expect-error There is no such state.
    const nowhere: Row<"sent", "vanished"> = { to: "limbo", set: ({ at }) => ({ lost_at: at }) }
    // @ts-expect-error There is nothing of the kind to tell.
    const untold: Row<"packed", "vanished"> = { ...lost, emit: "parcel.found" }
    const stays = { to: "held", set: () => ({ reason: "" }), drop: ["sent_at"] } as const
    // @ts-expect-error What the target holds cannot be dropped.
    const dropped: Row<"sent", "stopped"> = stays
    // @ts-expect-error An event holds its own facts only.
    const foreign: Row<"held", "freed"> = { to: "sent", set: ({ reason }) => ({ reason }) }
    const rows = [incomplete, mistyped, nowhere, untold, dropped, foreign]
    expect(rows.every((row) => row.to !== complete.to || row.set !== complete.set)).toBe(true)
  })

  it("refuse a record whose state and facts do not match", () => {
    // @ts-expect-error What was sent has its tracking number.
    const untracked: Parcel = { id: "p", status: "sent", sent_at: 1 }
    // @ts-expect-error A packed parcel was not delivered.
    const early: Parcel = { id: "p", status: "packed", delivered_at: 2 }
    expect([untracked.status, early.status]).toStrictEqual(["sent", "packed"])
  })

  it("refuse a table that leaves a state out or names an event that does not exist", () => {
    const { lost: _, ...rest } = table
    // @ts-expect-error Every state has its row, if an empty one.
    const short: Machine.Table<Facts, Event, Told> = rest
    // @ts-expect-error There is no such event.
    const long: Machine.Table<Facts, Event, Told> = { ...table, lost: { found: lost } }
    expect(Object.keys(long).length - Object.keys(short).length).toBe(1)
  })
})
