import { Effect } from "effect"
import type {
  Kind,
  ListedKind,
  ListQuery,
  NamedKind,
  Read,
  Records,
  Store,
} from "../../core/ports/Store.ts"

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

/** Returns a store whose `find` changes the found records of one kind. */
export const changing = <K extends Kind>(
  store: Store["Service"],
  kind: K,
  change: (found: Records[K]) => Records[K],
): Find =>
  finding(store, kind, (id) =>
    Effect.map(store.find(kind, id), (found) => (found === undefined ? found : change(found))),
  )

/** Returns a store whose `findBy` changes the found records of one kind. */
export const changingNamed = <K extends NamedKind>(
  store: Store["Service"],
  kind: K,
  change: (found: Records[K]) => Records[K] | undefined,
): Store["Service"]["findBy"] => {
  const other: Kind = kind
  const changeAny = change as (found: unknown) => undefined
  return (asked, name) =>
    Effect.map(store.findBy(asked, name), (found) =>
      asked === other && found !== undefined ? changeAny(found) : found,
    )
}

/** Returns a store whose `list` changes the listed records of one kind. */
export const changingList = <K extends ListedKind>(
  store: Store["Service"],
  kind: K,
  change: (all: ReadonlyArray<Records[K]>, query: ListQuery<K>) => ReadonlyArray<Records[K]>,
): Store["Service"]["list"] => {
  const other: Kind = kind
  const changeAny = change as (all: unknown, query: unknown) => ReadonlyArray<never>
  return (asked, query) =>
    Effect.map(store.list(asked, query), (all) => (asked === other ? changeAny(all, query) : all))
}
