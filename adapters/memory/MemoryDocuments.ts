import { Effect, Layer } from "effect"
import { type Document, Documents } from "../../core/ports/Documents.ts"
import { Conflict } from "../../core/ports/Store.ts"
import { frozen } from "./frozen.ts"

const byId = (a: Document, b: Document): number => (a.id < b.id ? -1 : 1)

const byTime = (a: Document, b: Document): number => (a.due_at ?? 0) - (b.due_at ?? 0) || byId(a, b)

const make = (): Documents["Service"] => {
  const scopes = new Map<string, Map<string, Document>>()
  const all = (scope: string): ReadonlyArray<Document> => [...(scopes.get(scope)?.values() ?? [])]
  const dueBy = (scope: string, now: number): ReadonlyArray<Document> =>
    all(scope)
      .filter(({ due_at }) => due_at !== null && due_at <= now)
      .toSorted(byTime)

  const put = (document: Document): Effect.Effect<void, Conflict> =>
    Effect.suspend(() => {
      const { scope, id, version } = document
      const documents = scopes.get(scope) ?? new Map<string, Document>()
      const stored = documents.get(id)?.version ?? 0
      if (stored !== version) {
        const owner = `version ${stored}`
        return Effect.fail(
          new Conflict({ reason: { type: "key_taken", key: `${scope}/${id}`, owner } }),
        )
      }
      documents.set(id, frozen({ ...document, version: version + 1 }))
      scopes.set(scope, documents)
      return Effect.void
    })

  return {
    get: (scope, id) => Effect.sync(() => scopes.get(scope)?.get(id)),
    put,
    list: (scope) => Effect.sync(() => all(scope).toSorted(byId)),
    page: (scope, { prefix, after, limit }) =>
      Effect.sync(() =>
        all(scope)
          .filter(({ id }) => id > after && id.startsWith(prefix))
          .toSorted(byId)
          .slice(0, limit),
      ),
    due: (scope, now, limit) => Effect.sync(() => dueBy(scope, now).slice(0, limit)),
    nextDueAt: (scope) => Effect.sync(() => dueBy(scope, Infinity)[0]?.due_at ?? undefined),
    remove: (scope, id) =>
      Effect.sync(() => {
        scopes.get(scope)?.delete(id)
      }),
  }
}

/** `Documents` in memory, synchronous and gone with the process. */
export const layer = Layer.sync(Documents, make)
