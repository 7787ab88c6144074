import { Effect, Layer } from "effect"
import { isDeepStrictEqual } from "node:util"
import { expect, it } from "vitest"
import * as MemoryStore from "../../../adapters/memory/MemoryStore.ts"
import { extremeOfEachKind } from "../../../apps/payport/testing/store/extremeRecords.ts"
import { storeContract } from "../../../apps/payport/testing/storeContract.ts"
import { ALL_KINDS, type Commit, Store } from "../../../core/ports/Store.ts"

type Service = Store["Service"]
type Change = (value: unknown) => unknown

/** Changes every text and number of a value, at any depth. */
const deeply =
  (change: Change): Change =>
  (value) => {
    if (typeof value !== "object" || value === null) return change(value)
    if (Array.isArray(value)) return value.map(deeply(change))
    return Object.fromEntries(
      Object.entries(value).map(([field, held]) => [field, deeply(change)(held)]),
    )
  }

const texts = (change: (text: string) => string) =>
  deeply((value) => (typeof value === "string" ? change(value) : value))

/** Leaves timestamps as they are. */
const amounts = (change: (amount: number) => number) =>
  deeply((value) => (typeof value === "number" && value <= 1e12 ? change(value) : value))

const clipped = (amount: number) => Math.max(-2_147_483_648, Math.min(2_147_483_647, amount))

const CORRUPTIONS: { readonly [what: string]: Change } = {
  "cuts texts at 1,000": texts((value) => value.slice(0, 1_000)),
  "cuts texts at 255": texts((value) => value.slice(0, 255)),
  "cuts blanks at the end": texts((value) => value.trimEnd()),
  "cuts blanks at the start": texts((value) => value.trimStart()),
  "composes letters": texts((value) => value.normalize("NFC")),
  "keeps three bytes of a character": texts((value) =>
    value.replace(/\p{Extended_Pictographic}/gu, "?"),
  ),
  "clips amounts at 32 bits": amounts(clipped),
  "keeps amounts as floats": amounts(Math.fround),
}

const storing =
  (change: (commit: Commit) => Commit) =>
  (sound: Service): Service => ({ ...sound, commit: (commit) => sound.commit(change(commit)) })

/** The checks of the group, or one of them, that fail on a changed store. */
const failing = async (change: (sound: Service) => Service, only?: string) => {
  const changed = Layer.effect(Store, Effect.map(Store, change))
  const { checks } = storeContract({ open: () => Layer.provide(changed, MemoryStore.layer) })
  const failed: Array<string> = []
  for (const { group, name, run } of checks) {
    if (group === "extremes" && (only ?? name) === name) await run().catch(() => failed.push(name))
  }
  return failed
}

const RECORDS = "gives back the greatest values and the longest texts of every kind"
const AMOUNTS = "books the greatest amounts, and adds them up"
const REPLY = "keeps a reply of a megabyte"
const MANY = "leaves nothing out of 1100 records and counters"

const each = extremeOfEachKind()

it("a sound store passes", async () => expect(await failing((sound) => sound)).toEqual([]))

/** Kinds whose records have neither an amount nor a text of a person. */
const PLAIN = ["appeal", "otp_allowance", "console_session", "billing_cycle"]

it.for(ALL_KINDS.filter((kind) => !PLAIN.includes(kind)))(
  "a store that corrupts %s is refused",
  async (kind) => {
    const noticed = []
    for (const [what, change] of Object.entries(CORRUPTIONS)) {
      if (isDeepStrictEqual(change(each[kind]), each[kind])) continue
      const corrupting = storing((commit) => ({
        ...commit,
        writes: commit.writes.map((write) =>
          write.kind === kind
            ? ({ ...write, record: change(write.record) } as typeof write)
            : write,
        ),
      }))
      noticed.push([what, await failing(corrupting, RECORDS)])
    }
    expect(noticed).not.toEqual([])
    expect(noticed).toEqual(noticed.map(([what]) => [what, [RECORDS]]))
  },
)

const mutantsOf = (sound: Service): { readonly [what: string]: readonly [Service, string] } => ({
  "clips postings": [
    storing(({ postings = [], ...commit }) => ({
      ...commit,
      postings: postings.map((posting) => ({ ...posting, amount: clipped(posting.amount) })),
    }))(sound),
    AMOUNTS,
  ],
  "keeps postings as floats": [
    storing(({ postings = [], ...commit }) => ({
      ...commit,
      postings: postings.map((posting) => ({ ...posting, amount: Math.fround(posting.amount) })),
    }))(sound),
    AMOUNTS,
  ],
  "cuts replies at 64 KiB": [
    storing(({ reply, ...commit }) => ({
      ...commit,
      ...(reply && { reply: { ...reply, answer: reply.answer?.slice(0, 65_536) ?? null } }),
    }))(sound),
    REPLY,
  ],
  "lists at most 100": [
    { ...sound, list: (kind, query) => sound.list(kind, { limit: 100, ...query }) },
    MANY,
  ],
  "lists at most 1,000": [
    { ...sound, list: (kind, query) => sound.list(kind, { limit: 1_000, ...query }) },
    MANY,
  ],
  "finds at most 100": [
    { ...sound, findMany: (kind, ids) => sound.findMany(kind, ids.slice(0, 100)) },
    MANY,
  ],
  "reads at most 100 counters": [
    {
      ...sound,
      readCounters: (names) =>
        Effect.map(sound.readCounters(names.slice(0, 100)), (values) =>
          names.map((_, n) => values[n] ?? 0),
        ),
    },
    MANY,
  ],
})

const MUTANTS = Object.keys(mutantsOf({} as Service))

it.for(MUTANTS)("a store that %s is refused", async (what) => {
  let expected = ""
  const failed = await failing((sound) => {
    const [mutant, check] = mutantsOf(sound)[what] ?? [sound, ""]
    expected = check
    return mutant
  })
  expect(failed).toEqual([expected])
})
