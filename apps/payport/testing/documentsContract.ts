import { Effect, type Layer } from "effect"
import { type Document, Documents } from "../../../core/ports/Documents.ts"
import type { Check, Contract, MethodsCovered } from "./Contract.ts"
import { expect } from "./expect.ts"
import { portContract } from "./portContract.ts"
import { T0 } from "./records/index.ts"

/** Makes a document that is not stored yet. */
const aDocument = (said: Partial<Document> = {}): Document => ({
  scope: "sandbox",
  id: "clock",
  version: 0,
  body: { offset: 1, list: [1, "2", null, { a: true }] },
  due_at: null,
  ...said,
})

/** The form in which a document is read back. */
const stored = (document: Document): Document => ({ ...document, version: document.version + 1 })

const put = (document: Document) => Effect.flatMap(Documents, (port) => port.put(document))

const everything = Effect.flatMap(Documents, (port) =>
  port.page("sandbox", { prefix: "", after: "", limit: 99 }),
)

/** Puts a document and returns whether it was stored. */
const tryPut = (document: Document) =>
  put(document).pipe(
    Effect.as("stored"),
    Effect.catchTag("Conflict", () => Effect.succeed("conflict")),
  )

const documents = (check: Check<Documents>): void => {
  check("gives back what was put", () =>
    Effect.gen(function* () {
      const port = yield* Documents
      expect(yield* port.get("sandbox", "clock")).toBeUndefined()
      const deep = { deep: { "a b": ["ü", "🦊", "\\'"] } }
      const bodies = [{}, [], "text", 0, 1.5, true, null, deep]
      for (const [n, body] of bodies.entries()) {
        const document = aDocument({ id: `${n}`, body, due_at: n % 2 ? T0 : null })
        yield* put(document)
        expect(yield* port.get("sandbox", `${n}`)).toStrictEqual(stored(document))
      }
    }),
  )

  check("replaces the version that is named, and no other", () =>
    Effect.gen(function* () {
      const port = yield* Documents
      expect(yield* tryPut(aDocument({ version: 1 }))).toBe("conflict")
      expect(yield* port.get("sandbox", "clock")).toBeUndefined()
      yield* put(aDocument())
      expect(yield* tryPut(aDocument({ body: "again" }))).toBe("conflict")
      expect(yield* tryPut(aDocument({ version: 2, body: "ahead" }))).toBe("conflict")
      expect(yield* port.get("sandbox", "clock")).toStrictEqual(stored(aDocument()))
      yield* put(aDocument({ version: 1, body: "next" }))
      expect(yield* port.get("sandbox", "clock")).toStrictEqual(
        aDocument({ version: 2, body: "next" }),
      )
      expect(yield* tryPut(aDocument({ version: 1, body: "stale" }))).toBe("conflict")
    }),
  )

  check("of 200 racers with one version one wins", () =>
    Effect.gen(function* () {
      const port = yield* Documents
      for (const version of [0, 1]) {
        const racers = Array.from({ length: 200 }, (_, body) =>
          tryPut(aDocument({ version, body })),
        )
        const outcomes = yield* Effect.all(racers, { concurrency: "unbounded" })
        expect(outcomes.filter((outcome) => outcome === "stored")).toHaveLength(1)
        const body = outcomes.indexOf("stored")
        expect(yield* port.get("sandbox", "clock")).toStrictEqual(
          aDocument({ version: version + 1, body }),
        )
      }
    }),
  )

  check("of many that are put at once each is stored or refused by itself", () =>
    Effect.gen(function* () {
      const port = yield* Documents
      const bodies = [{}, ["a"], 'a "quoted" \\ text', 1.5, null]
      const make = (n: number, version: number) =>
        aDocument({
          scope: `sandbox ${n % 3}`,
          id: `a "quoted" \\ id, ${n}`,
          version,
          body: bodies[(n + version) % bodies.length],
          due_at: n % 2 ? T0 + n : null,
        })
      const numbers = Array.from({ length: 150 }, (_, n) => n)
      const together = <A, E, R>(step: (n: number) => Effect.Effect<A, E, R>) =>
        Effect.forEach(numbers, step, { concurrency: "unbounded" })
      const isStale = (n: number) => n % 5 === 0
      const first = yield* together((n) => tryPut(make(n, isStale(n) ? 7 : 0)))
      expect(first).toStrictEqual(numbers.map((n) => (isStale(n) ? "conflict" : "stored")))
      const second = yield* together((n) => tryPut(make(n, 1)))
      expect(second).toStrictEqual(first)
      const found = yield* together((n) => {
        const { id, scope } = make(n, 1)
        return port.get(scope, id)
      })
      expect(found).toStrictEqual(numbers.map((n) => (isStale(n) ? undefined : stored(make(n, 1)))))
    }),
  )

  check("keeps scopes apart and gives one by id", () =>
    Effect.gen(function* () {
      const port = yield* Documents
      expect(yield* everything).toStrictEqual([])
      const documents = ["b", "a", "c"].map((id) => aDocument({ id }))
      for (const document of documents) yield* put(document)
      yield* put(aDocument({ scope: "other", id: "a", body: "other" }))
      const byId = ["a", "b", "c"].map((id) => stored(aDocument({ id })))
      expect(yield* everything).toStrictEqual(byId)
      expect(yield* port.get("other", "b")).toBeUndefined()
      expect((yield* port.get("other", "a"))?.body).toBe("other")
    }),
  )

  check("gives pages of what begins alike", () =>
    Effect.gen(function* () {
      const port = yield* Documents
      const page = (prefix: string, after: string, limit: number) =>
        Effect.map(port.page("sandbox", { prefix, after, limit }), (found) =>
          found.map(({ id }) => id),
        )
      for (const id of ["b:2", "a:1", "b:1", "b", "b;"]) {
        yield* put(aDocument({ id }))
      }
      yield* put(aDocument({ scope: "other", id: "b:3" }))
      expect(yield* page("c:", "", 9)).toStrictEqual([])
      expect(yield* page("b:", "", 2)).toStrictEqual(["b:1", "b:2"])
      expect(yield* page("b:", "", 1)).toStrictEqual(["b:1"])
      expect(yield* page("b:", "b:1", 1)).toStrictEqual(["b:2"])
      const whole = yield* port.page("sandbox", { prefix: "a", after: "", limit: 1 })
      expect(whole).toStrictEqual([stored(aDocument({ id: "a:1" }))])
      expect(yield* page("b:", "b:2", 9)).toStrictEqual([])
      expect(yield* page("", "a:1", 9)).toStrictEqual(["b", "b:1", "b:2", "b;"])
    }),
  )

  check("gives out what is due, earliest first, and says when the next is", () =>
    Effect.gen(function* () {
      const port = yield* Documents
      expect(yield* port.nextDueAt("sandbox")).toBeUndefined()
      const times = { a: T0 + 3, b: T0 + 1, c: null, d: T0 + 2 }
      for (const [id, due_at] of Object.entries(times)) yield* put(aDocument({ id, due_at }))
      yield* put(aDocument({ scope: "other", due_at: T0 - 1 }))
      const due = (now: number, limit: number) =>
        Effect.map(port.due("sandbox", now, limit), (found) => found.map(({ id }) => id))
      expect(yield* due(T0, 9)).toStrictEqual([])
      expect(yield* due(T0 + 1, 9)).toStrictEqual(["b"])
      const first = stored(aDocument({ id: "b", due_at: T0 + 1 }))
      expect(yield* port.due("sandbox", T0 + 1, 9)).toStrictEqual([first])
      expect(yield* due(T0 + 3, 9)).toStrictEqual(["b", "d", "a"])
      expect(yield* due(T0 + 3, 2)).toStrictEqual(["b", "d"])
      expect(yield* port.nextDueAt("sandbox")).toBe(T0 + 1)
      yield* put(aDocument({ id: "b", version: 1, due_at: null }))
      expect(yield* port.nextDueAt("sandbox")).toBe(T0 + 2)
      yield* put(aDocument({ id: "d", version: 1, due_at: T0 + 9 }))
      expect(yield* due(T0 + 9, 9)).toStrictEqual(["a", "d"])
    }),
  )

  check("removes, after which there is none", () =>
    Effect.gen(function* () {
      const port = yield* Documents
      yield* port.remove("sandbox", ["clock"])
      yield* put(aDocument({ due_at: T0 }))
      yield* put(aDocument({ scope: "other" }))
      yield* put(aDocument({ id: 'a "quoted" \\ id' }))
      yield* put(aDocument({ id: "kept" }))
      yield* port.remove("sandbox", [])
      expect(yield* everything).toHaveLength(3)
      yield* port.remove("sandbox", ["clock", "none", 'a "quoted" \\ id'])
      expect(yield* port.get("sandbox", "clock")).toBeUndefined()
      expect(yield* everything).toStrictEqual([stored(aDocument({ id: "kept" }))])
      expect(yield* port.nextDueAt("sandbox")).toBeUndefined()
      expect(yield* port.get("other", "clock")).toBeDefined()
      yield* put(aDocument())
      expect((yield* port.get("sandbox", "clock"))?.version).toBe(1)
    }),
  )

  check("keeps what it has from changes to what was handed in or out", () =>
    Effect.gen(function* () {
      const port = yield* Documents
      const body = { list: [1] }
      yield* put(aDocument({ body }))
      body.list.push(2)
      const read = (yield* port.get("sandbox", "clock"))?.body as { list: Array<number> }
      Reflect.set(read.list, "0", "spoiled")
      expect((yield* port.get("sandbox", "clock"))?.body).toStrictEqual({ list: [1] })
    }),
  )
}

const METHODS: { readonly [M in keyof Documents["Service"]]: 0 } = {
  get: 0,
  put: 0,
  page: 0,
  due: 0,
  nextDueAt: 0,
  remove: 0,
}

/** Checks what every `Documents` does. `open` is called once a check and returns an empty one. */
export const documentsContract = ({
  open,
}: {
  readonly open: () => Layer.Layer<Documents, unknown>
}): Contract<MethodsCovered> => portContract(Documents, METHODS, open, [documents])
