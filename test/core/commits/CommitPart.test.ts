import { describe, expect, it, test } from "vitest"
import { type Commit, type CommitPart, empty, merge } from "../../../core/commits/Commit.ts"
import { aFeeDay, aJournal, anAuditAct, anEvent, anIntent, aReply } from "../../support/records.ts"

/** The list fields of a commit, with entries that are different for each `n`. */
const lists = (n: number): Required<Omit<Commit, "audit" | "contended" | "reply">> => ({
  writes: [{ op: "insert", kind: "payment_intent", record: anIntent({ n }) }],
  events: [anEvent({ n })],
  guards: [{ kind: "service", id: `service ${n}`, version: n }],
  keys: [{ op: "claim", key: `key ${n}`, owner: `owner ${n}` }],
  reservations: [{ counter: `counter ${n}`, add: n, limit: 100 }],
  postings: aJournal({ n }),
  fee_days: [aFeeDay({ n })],
})

const singles = { reply: aReply(), audit: anAuditAct() }
const whole: Required<Commit> = { ...lists(1), ...singles, contended: true }
const LISTS = Object.keys(lists(1)) as ReadonlyArray<keyof ReturnType<typeof lists>>

/** Parts of every shape: nothing, each field alone, and all of them. */
const parts: ReadonlyArray<CommitPart> = [
  empty,
  {},
  ...Object.entries(whole).map(([field, value]): CommitPart => ({ [field]: value })),
  whole,
]

describe("parts of a commit", () => {
  test.each(LISTS)("%s of two parts follow each other", (field) => {
    const merged = merge({ [field]: lists(1)[field] }, { [field]: lists(2)[field] })
    expect(merged).toStrictEqual({ ...empty, [field]: [...lists(1)[field], ...lists(2)[field]] })
  })

  test.each(["reply", "audit"] as const)("%s is kept, and two of it are a defect", (field) => {
    const part = { [field]: singles[field] }
    expect(merge(empty, part, {})).toStrictEqual({ ...empty, ...part })
    expect(() => merge(part, part)).toThrow(field)
  })

  it("leaves no field out", () => {
    expect(merge(lists(1), singles, { contended: true })).toStrictEqual(whole)
  })

  it("is contended where a part is", () => {
    const part = { contended: true } as const
    expect(merge(part, {}, part)).toStrictEqual({ ...empty, ...part })
  })

  it.each(parts)("%#: nothing changes a part that it is merged with", (part) => {
    const alone: Commit = { writes: [], ...part }
    expect(merge(part)).toStrictEqual(alone)
    expect(merge(empty, part)).toStrictEqual(alone)
    expect(merge(part, empty)).toStrictEqual(alone)
  })

  it("is the same however parts are grouped", () => {
    const [one, two, three] = [{ ...lists(1), reply: singles.reply }, lists(2), lists(3)]
    const flat = merge(one, two, three)
    expect(merge(merge(one, two), three)).toStrictEqual(flat)
    expect(merge(one, merge(two, three))).toStrictEqual(flat)
  })

  it("changes none of its parts", () => {
    const [one, two] = [lists(1), lists(2)]
    merge(one, two)
    expect([one, two]).toStrictEqual([lists(1), lists(2)])
  })
})
