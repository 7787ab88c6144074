import { Effect } from "effect"
import type { Read } from "../../core/ports/reads/Read.ts"
import type { Kind, Records, Store } from "../../core/ports/Store.ts"

type Find = Store["Service"]["find"]

/** A store's `find` that answers otherwise about one kind of record. */
export const finding = <K extends Kind>(
  store: Store["Service"],
  kind: K,
  answer: (id: string) => Read<Records[K] | undefined>,
): Find => {
  const other: Kind = kind
  const answerAny = answer as (id: string) => Read<never>
  return (asked, id) => (asked === other ? answerAny(id) : store.find(asked, id))
}

/** A store's `find` that changes what it has found of one kind. */
export const changing = <K extends Kind>(
  store: Store["Service"],
  kind: K,
  change: (found: Records[K]) => Records[K],
): Find =>
  finding(store, kind, (id) =>
    Effect.map(store.find(kind, id), (found) => (found === undefined ? found : change(found))),
  )
