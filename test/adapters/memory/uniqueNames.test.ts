import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { IN_MEMORY } from "../../../adapters/memory/Keeping.ts"
import { makeStore } from "../../../adapters/memory/MemoryStore.ts"
import { makeState } from "../../../adapters/memory/State.ts"
import { type Declared, Table } from "../../../adapters/memory/Table.ts"
import { storeContract } from "../../../apps/payport/testing/storeContract.ts"
import {
  ALL_KINDS,
  type Commit,
  Conflict,
  type Kind,
  KINDS,
  Store,
} from "../../../core/ports/Store.ts"

type Names = NonNullable<Declared<never>["unique"]>
type Name = Names[number]

/** Every declared name, by its kind. */
const ALL = ALL_KINDS.flatMap((kind) =>
  ((KINDS[kind].unique ?? []) as Names).map((name) => ({ kind, name })),
)

/** A store that keeps one kind of record in a changed table. */
const withTable = (kind: Kind, make: (declared: Declared<never>) => Table<never>) => {
  const state = makeState(IN_MEMORY)
  const table = make(KINDS[kind] as unknown as Declared<never>)
  const tables = { ...state.tables, [kind]: table } as typeof state.tables
  return makeStore({ ...state, tables }, Effect.sync)
}

/** A store that keeps one kind under other names than it declares. */
const withNames = (kind: Kind, change: (names: Names) => Names) => () =>
  withTable(kind, (declared) => {
    const unique = change(declared.unique ?? [])
    return new Table({ ...declared, unique }, IN_MEMORY, kind)
  })

class Unguarded extends Table<never> {
  override holder(): undefined {
    return undefined
  }
}

/** A store that looks for the holders of names before it stores, but not while it does. */
const looksFirst = (kind: Kind) => (): Store["Service"] => {
  const sound = withTable(kind, (declared) => new Unguarded(declared, IN_MEMORY, kind))
  const takenBy = (commit: Commit) =>
    Effect.forEach(commit.writes, ({ kind: of, op, record }) => {
      const isNamed = of === kind && op !== "remove"
      const names = isNamed ? ((KINDS[kind].unique ?? []) as Names) : []
      return Effect.forEach(names, (name) => {
        const isHeld = Object.entries(name.while ?? {}).every(([field, values]) =>
          (values as ReadonlyArray<unknown>).includes(Reflect.get(record, field)),
        )
        const sought = name.by.map((field) => [field, Reflect.get(record, field) as unknown])
        return isHeld
          ? sound.findBy(kind as never, Object.fromEntries(sought) as never)
          : Effect.undefined
      })
    })
  const freed = ({ writes }: Commit, id: string) => writes.some(({ record }) => record.id === id)
  return {
    ...sound,
    commit: (commit) =>
      Effect.gen(function* () {
        const found = (yield* takenBy(commit)).flat() as ReadonlyArray<{ id: string } | undefined>
        yield* Effect.yieldNow
        const owner = found.find((one) => one !== undefined && !freed(commit, one.id))?.id
        if (owner === undefined) return yield* sound.commit(commit)
        return yield* new Conflict({ reason: { type: "key_taken", key: kind, owner } })
      }),
  }
}

/** The checks of a kind's names that fail on a store. */
const failing = async (kind: Kind, make: () => Store["Service"]) => {
  const { checks } = storeContract({ open: () => Layer.sync(Store, make) })
  const failed: Array<string> = []
  for (const { group, name, run } of checks) {
    if (group !== "unique names" || !name.includes(` ${kind} (`)) continue
    await run().catch(() => failed.push(name))
  }
  return failed
}

const checkOf = (kind: Kind, { by }: Name) => `one record has the name ${kind} (${by.join(", ")})`

it.for(ALL_KINDS.filter((kind) => KINDS[kind].unique !== undefined))(
  "a store with the declared names of %s passes",
  async (kind) =>
    expect(
      await failing(
        kind,
        withNames(kind, (all) => all),
      ),
    ).toEqual([]),
)

describe("a store is refused", () => {
  it.for(ALL)("without the name $name.by of $kind", async ({ kind, name }) => {
    const forgetful = withNames(kind, (all) => all.filter((one) => one !== name))
    expect(await failing(kind, forgetful)).toEqual([checkOf(kind, name)])
  })

  it.for(ALL)("that looks for the name $name.by of $kind, then stores", async ({ kind, name }) => {
    expect(await failing(kind, looksFirst(kind))).toContain(checkOf(kind, name))
  })

  it.for(ALL.filter(({ name }) => name.by.length > 1))(
    "that takes a part of the name $name.by of $kind for all of it",
    async ({ kind, name }) => {
      for (const field of name.by) {
        const by = name.by.filter((other) => other !== field)
        const strict = withNames(kind, (all) => [...all, { ...name, by }])
        expect(await failing(kind, strict)).toContain(checkOf(kind, name))
      }
    },
  )

  it.for(ALL.filter(({ name }) => name.while !== undefined))(
    "whose name $name.by of $kind knows no condition",
    async ({ kind, name }) => {
      const strict = withNames(kind, (all) =>
        all.map((one) => (one === name ? { by: name.by } : one)),
      )
      expect(await failing(kind, strict)).toContain(checkOf(kind, name))
    },
  )
})
