import { Effect, Layer } from "effect"
import { type Document, Documents } from "../../core/ports/Documents.ts"
import { Conflict } from "../../core/ports/Store.ts"
import { frozen } from "./frozen.ts"
import { IN_MEMORY, type Keeping } from "./Keeping.ts"
import type { Atomically } from "./State.ts"

const byId = (a: Document, b: Document): number => (a.id < b.id ? -1 : 1)

const byTime = (a: Document, b: Document): number => (a.due_at ?? 0) - (b.due_at ?? 0) || byId(a, b)

/** Returns `Documents` over a store's medium. */
export const makeDocuments = (keeping: Keeping, atomically: Atomically): Documents["Service"] => {
  const scopes = keeping.family("documents", keeping.map<Document>)
  const all = (scope: string): ReadonlyArray<Document> => [...(scopes.get(scope)?.values() ?? [])]
  const dueBy = (scope: string, now: number): ReadonlyArray<Document> =>
    all(scope)
      .filter(({ due_at }) => due_at !== null && due_at <= now)
      .toSorted(byTime)

  const put = (document: Document): Conflict | undefined => {
    const { scope, id, version } = document
    const documents = scopes.open(scope)
    const stored = documents.get(id)?.version ?? 0
    if (stored !== version) {
      const owner = `version ${stored}`
      return new Conflict({ reason: { type: "key_taken", key: `${scope}/${id}`, owner } })
    }
    documents.set(id, frozen({ ...document, version: version + 1 }))
    return undefined
  }

  return {
    get: (scope, id) => atomically(() => scopes.get(scope)?.get(id)),
    put: (document) =>
      Effect.flatMap(
        atomically(() => put(document)),
        (conflict) => (conflict === undefined ? Effect.void : Effect.fail(conflict)),
      ),
    page: (scope, { prefix, after, limit }) =>
      atomically(() =>
        all(scope)
          .filter(({ id }) => id > after && id.startsWith(prefix))
          .toSorted(byId)
          .slice(0, limit),
      ),
    due: (scope, now, limit) => atomically(() => dueBy(scope, now).slice(0, limit)),
    nextDueAt: (scope) => atomically(() => dueBy(scope, Infinity)[0]?.due_at ?? undefined),
    remove: (scope, ids) =>
      atomically(() => {
        for (const id of ids) scopes.get(scope)?.delete(id)
      }),
  }
}

/** `Documents` in memory, synchronous and not persistent. */
export const layer = Layer.sync(Documents, () => makeDocuments(IN_MEMORY, Effect.sync))
