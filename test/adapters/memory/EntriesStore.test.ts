import { Context, Effect, Layer } from "effect"
import { join } from "node:path"
import { expect, test } from "vitest"
import type { Entries } from "../../../adapters/memory/Entries.ts"
import * as EntriesStore from "../../../adapters/memory/EntriesStore.ts"
import {
  beforeCommitContract,
  deathOf,
} from "../../../apps/payport/testing/beforeCommitContract.ts"
import { documentsContract } from "../../../apps/payport/testing/documentsContract.ts"
import { rateLeasesContract } from "../../../apps/payport/testing/rateLeasesContract.ts"
import { insert } from "../../../apps/payport/testing/store/probe.ts"
import { storeContract } from "../../../apps/payport/testing/storeContract.ts"
import { Store } from "../../../core/ports/Store.ts"
import { aJournal, anAuditAct, anEvent, anIntent, aReply, id } from "../../support/records.ts"
import { runContract } from "../../support/runContract.ts"
import { projectRoot } from "../../support/sourceFiles.ts"

const example = join(projectRoot, "apps/examples/own-store-sqlite/entries.ts")
const { openEntries } = (await import(example)) as { openEntries: (file: string) => Entries }

const sqlite = { open: () => EntriesStore.layer(() => openEntries(":memory:")) }
let rows: Array<string> = []

runContract("entries in SQLite: the store", storeContract(sqlite))
runContract("entries in SQLite: documents", documentsContract(sqlite))
runContract("entries in SQLite: leases of rate windows", rateLeasesContract(sqlite))
runContract(
  "entries in SQLite",
  beforeCommitContract({
    open: (hook) => {
      rows = []
      const made = EntriesStore.layer(() => openEntries(":memory:"), {
        ...hook,
        run: (change, { onStored }) =>
          hook.run(change, async (text) => onStored(() => void rows.push(text))),
      })
      const built = Layer.build(made).pipe(Effect.orDie)
      return Effect.map(built, (context) => Context.get(context, Store))
    },
    rows: Effect.sync(() => rows),
  }),
)

const commit = {
  writes: [insert("payment_intent", anIntent())],
  events: [anEvent()],
  keys: [{ op: "claim", key: "k", owner: "o" }],
  reservations: [{ counter: "c", add: 1, limit: 1 }],
  postings: aJournal(),
  reply: aReply(),
  audit: anAuditAct(),
} as const

/** SQLite that has no more room from some write on, until it is told otherwise. */
const filling = () => {
  const room = { writes: Infinity, used: 0 }
  const open = (): Entries => {
    const entries = openEntries(":memory:")
    const set = (name: string, text: string) => {
      room.used += 1
      if (room.used > room.writes) throw new Error("The disk is full.")
      entries.set(name, text)
    }
    return { ...entries, set }
  }
  return { open, room }
}

test("a commit that breaks at any of its writes leaves nothing", async () => {
  const { open, room } = filling()
  const stored = Effect.gen(function* () {
    const store = yield* Store
    for (room.writes = 0; ; room.writes += 1) {
      room.used = 0
      const failure = yield* Effect.result(store.commit(commit))
      if (failure._tag === "Success") return room.writes
      expect(failure.failure).toMatchObject({ _tag: "StoreUnavailable", outcome: "not_stored" })
      const left = [
        yield* store.find("payment_intent", id("pi", 1)),
        yield* store.findReply(id("acct", 1), "retry-1"),
        yield* store.nextDueAt(),
      ]
      expect(left).toEqual([undefined, undefined, undefined])
      expect(yield* store.listBalances(id("acct", 1))).toEqual([])
    }
  })
  const writes = await Effect.runPromise(Effect.provide(stored, EntriesStore.layer(open)))
  expect(writes).toBeGreaterThan(10)
})

test("a hook whose second change throws leaves neither the first nor the payment", async () => {
  const entries = openEntries(":memory:")
  const kept = () => entries.atomically(() => entries.get("the host's row"))
  let breaks = true
  const made = EntriesStore.layer(() => entries, {
    kinds: ["payment_intent"],
    run: (_change, { onStored }) => {
      onStored(() => entries.set("the host's row", "1"))
      onStored(() => {
        if (breaks) throw new Error("The row is there already.")
      })
    },
  })
  const committed = Effect.gen(function* () {
    const store = yield* Store
    const death = yield* deathOf(store.commit(commit))
    expect(death).toMatchObject({ message: "What beforeCommit wanted applied threw." })
    expect(yield* store.find("payment_intent", id("pi", 1))).toBeUndefined()
    expect(kept()).toBeUndefined()
    breaks = false
    yield* store.commit(commit)
    expect(yield* store.find("payment_intent", id("pi", 1))).toBeDefined()
    expect(kept()).toBe("1")
  })
  await Effect.runPromise(Effect.provide(committed, made))
})

test("entries that cannot be opened say so", async () => {
  const open = () => openEntries("/no/such/folder/payments.db")
  const opened = Effect.flip(Effect.scoped(Layer.build(EntriesStore.layer(open))))
  expect((await Effect.runPromise(opened)).message).toMatch(/cannot be opened.*unable to open/)
})

/** SQLite in memory whose `atomically` is another. */
const transacting = (atomically: Entries["atomically"]) => ({
  ...openEntries(":memory:"),
  atomically,
})

test.each([
  ["keeps what was written", () => transacting((body) => body()), /keeps what a body has written/],
  [
    "swallows errors",
    () =>
      transacting((body) => {
        try {
          return body()
        } catch {
          return undefined as never
        }
      }),
    /does not throw what its body throws/,
  ],
  [
    "ends later",
    () => transacting((async (body: () => unknown) => body()) as never),
    /returns a promise/,
  ],
])("a transaction that %s is refused when the store is opened", async (_, open, message) => {
  const opened = Effect.flip(Effect.scoped(Layer.build(EntriesStore.layer(open))))
  expect((await Effect.runPromise(opened)).message).toMatch(message)
})

const inOrder = (compare: (a: string, b: string) => number): Entries => {
  const entries = openEntries(":memory:")
  return {
    ...entries,
    list: ({ above, below, limit, order }) => {
      const all = entries.list({ above: "", below: "\u{10ffff}", order: "ascending", limit: 1e9 })
      const found = all.filter(([name]) => compare(name, above) > 0 && compare(name, below) < 0)
      const sorted = found.toSorted(([a], [b]) => compare(a, b))
      return (order === "ascending" ? sorted : sorted.toReversed()).slice(0, limit)
    },
  }
}

const writing = (write: (entries: Entries) => Entries["set"]): Entries => {
  const entries = openEntries(":memory:")
  return { ...entries, set: write(entries) }
}

const forgetting = (): Entries => {
  const entries = openEntries(":memory:")
  const deleted = new Set<string>()
  return {
    ...entries,
    delete: (name) => {
      deleted.add(name)
      entries.delete(name)
    },
    atomically: (body) => {
      deleted.clear()
      try {
        return entries.atomically(body)
      } catch (error) {
        for (const name of deleted) entries.atomically(() => entries.delete(name))
        throw error
      }
    },
  }
}

test.each<[string, () => Entries, RegExp]>([
  ["a language's order", () => inOrder((a, b) => a.localeCompare(b)), /list does not order/],
  ["the order of UTF-16", () => inOrder((a, b) => (a < b ? -1 : +(a > b))), /list does not order/],
  ["a rollback that forgets deletions", forgetting, /keeps what a body has deleted/],
  [
    "trimmed texts",
    () =>
      writing(
        ({ set }) =>
          (name, text) =>
            set(name, text.trim()),
      ),
    /does not return the text that was set/,
  ],
  [
    "trimmed names",
    () =>
      writing(
        ({ set }) =>
          (name, text) =>
            set(name.trim(), text),
      ),
    /list does not order/,
  ],
])("entries with %s are refused, so that no contract passes them", async (_, open, message) => {
  const opened = Effect.flip(Effect.scoped(Layer.build(EntriesStore.layer(open))))
  expect((await Effect.runPromise(opened)).message).toMatch(message)
})

test("what is tried of entries leaves nothing in them", async () => {
  const entries = { ...openEntries(":memory:"), close: () => undefined }
  const all = { above: "", below: "\u{10ffff}", order: "ascending", limit: 100 } as const
  await Effect.runPromise(Effect.scoped(Layer.build(EntriesStore.layer(() => entries))))
  expect(entries.list(all)).toEqual([])
})

test("entries whose transactions were mended since a refused start can be opened", async () => {
  const entries = { ...openEntries(":memory:"), close: () => undefined }
  const broken = { ...entries, atomically: <A>(body: () => A) => body() }
  const build = (open: () => Entries) => Effect.scoped(Layer.build(EntriesStore.layer(open)))
  await Effect.runPromise(Effect.flip(build(() => broken)))
  await Effect.runPromise(build(() => entries))
})

test("entries whose medium fails after the transaction that is tried can be opened", async () => {
  const entries = openEntries(":memory:")
  let tries = 0
  const open = () => ({
    ...entries,
    atomically: <A>(body: () => A): A => {
      tries += 1
      if (tries === 2) throw new Error("disk I/O error")
      return entries.atomically(body)
    },
  })
  await Effect.runPromise(Effect.scoped(Layer.build(EntriesStore.layer(open))))
  expect(tries).toBeGreaterThan(1)
})

test("entries whose medium is full at the start can be opened and read", async () => {
  const { open, room } = filling()
  room.writes = 0
  const found = Effect.flatMap(Store, (store) => store.find("payment_intent", id("pi", 1)))
  const read = Effect.provide(found, EntriesStore.layer(open))
  expect(await Effect.runPromise(read)).toBeUndefined()
})
