import { Effect, Logger } from "effect"
import { expect } from "../expect.ts"
import { type ServiceListener, Store } from "../../../../core/ports/Store.ts"
import { anAccount, aService, id, uuid } from "../records/index.ts"
import { type StoreCheck, insert, replace, store, tryCommit, upTo } from "./probe.ts"

const listed = (query: { readonly from?: string; readonly limit: number }) =>
  Effect.gen(function* () {
    const found = yield* (yield* Store).list("service", {
      by: { status: "active" },
      order: "oldest",
      ...query,
    })
    return found.map((service) => upTo(300).find((n) => uuid(n) === service.id))
  })

/** Checks the list of active manifests, and the changes of all manifests. */
export const activeServices = (check: StoreCheck): void => {
  check.group("the active manifests", () => {
    check("come in the order of their ids, whoever has them", () =>
      Effect.gen(function* () {
        const numbers = upTo(120).toSorted((a, b) => ((a * 7919) % 127) - ((b * 7919) % 127))
        const owner = (n: number) => ({ n, account_id: id("acct", n % 3) })
        yield* store(...numbers.map((n) => insert("service", aService(owner(n)))))
        expect(yield* listed({ limit: 50 })).toStrictEqual(upTo(50))
        expect(yield* listed({ from: uuid(51), limit: 3 })).toStrictEqual([51, 52, 53])
        expect(yield* listed({ from: uuid(119), limit: 50 })).toStrictEqual([119, 120])
        expect(yield* listed({ from: uuid(121), limit: 50 })).toStrictEqual([])
      }),
    )

    check("are none but the active ones", () =>
      Effect.gen(function* () {
        yield* store(
          insert("service", aService({ n: 1 })),
          insert("service", aService({ n: 2, status: "draft" })),
          insert("service", aService({ n: 3, status: "paused" })),
          insert("service", aService({ n: 4, status: "deprecated", deprecated_at: 1 })),
          insert("service", aService({ n: 5 })),
        )
        expect(yield* listed({ limit: 10 })).toStrictEqual([1, 5])
        yield* store(replace("service", aService({ n: 1, status: "paused" })))
        expect(yield* listed({ from: uuid(1), limit: 10 })).toStrictEqual([5])
      }),
    )

    check("begin nowhere behind what is no id", () =>
      Effect.gen(function* () {
        yield* store(insert("service", aService()))
        expect(yield* listed({ from: "x", limit: 10 })).toStrictEqual([])
      }),
    )
  })

  check.group("watching manifests", () => {
    const watch = Effect.fnUntraced(function* (listener: ServiceListener) {
      const port = yield* Store
      return yield* Effect.acquireRelease(
        Effect.sync(() => port.watchServices(listener)),
        (stop) => Effect.sync(stop),
      )
    })

    check("is told of each that a commit changed, and of nothing else", () =>
      Effect.gen(function* () {
        const heard = new Set<string>()
        const stop = yield* watch((ids) => {
          for (const one of ids === "everything" ? [ids] : ids) heard.add(one)
        })
        yield* store(insert("account", anAccount({ n: 9 })))
        yield* store(insert("service", aService({ n: 1 })), insert("service", aService({ n: 2 })))
        heard.delete("everything")
        expect([...heard]).toStrictEqual([uuid(1), uuid(2)])
        stop()
        heard.clear()
        yield* store(replace("service", aService({ n: 1 })))
        expect(heard.size).toBe(0)
      }),
    )

    check("is told of what is erased", () =>
      Effect.gen(function* () {
        yield* store(insert("service", aService({ n: 1 })))
        const heard: Array<string> = []
        yield* watch((ids) => heard.push(...(ids === "everything" ? [ids] : ids)))
        yield* (yield* Store).eraseAccountData(id("acct", 1))
        expect(heard.some((one) => one === uuid(1) || one === "everything")).toBe(true)
      }),
    )

    check("harms no commit when it fails", () =>
      Effect.gen(function* () {
        yield* watch(() => {
          throw new Error("A listener that fails.")
        })
        const insertion = tryCommit({ writes: [insert("service", aService({ n: 1 }))] })
        expect(yield* insertion.pipe(Effect.provide(Logger.layer([])))).toBeUndefined()
        expect(yield* listed({ limit: 10 })).toStrictEqual([1])
      }),
    )
  })
}
