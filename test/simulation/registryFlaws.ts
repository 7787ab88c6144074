import { Effect } from "effect"
import type { Commit, Store, Write } from "../../core/ports/Store.ts"
import type { ServiceManifest } from "../../core/registry/ServiceManifest.ts"
import { DAY } from "../../core/shared/Timestamp.ts"
import { changingList } from "../support/finding.ts"
import { type Flaw, storing } from "./flaw.ts"

type StoreService = Store["Service"]

/** A store in which manifests are stored as something else. */
const manifests = (change: (record: ServiceManifest) => ServiceManifest) =>
  storing((commit): Commit => ({
    ...commit,
    writes: commit.writes.map((write) =>
      write.kind === "service" ? { ...write, record: change(write.record) } : write,
    ),
  }))

/** Always repeats the first result of each search. */
const searchesOnce = (store: StoreService): StoreService => {
  const known = new Map<string, Effect.Success<ReturnType<StoreService["searchServices"]>>>()
  return {
    ...store,
    searchServices: (search) =>
      Effect.map(store.searchServices(search), (found) => {
        const name = JSON.stringify(search)
        if (!known.has(name)) known.set(name, found)
        return known.get(name) ?? found
      }),
  }
}

/** Keeps the tools of deprecated services. */
const keepsDeprecated = (store: StoreService): StoreService => {
  const deprecated = new Map<string, ServiceManifest>()
  const note = (write: Write): void => {
    if (write.kind !== "service") return
    if (write.record.status !== "deprecated") deprecated.delete(write.record.id)
    else deprecated.set(write.record.id, { ...write.record, status: "active" })
  }
  return {
    ...store,
    commit: (commit) =>
      Effect.tap(store.commit(commit), () => Effect.sync(() => commit.writes.forEach(note))),
    list: changingList(store, "service", (listed) => [...listed, ...deprecated.values()]),
  }
}

/** Takes no names: each is another one to it. */
const unnamed = (store: StoreService): StoreService => ({
  ...store,
  findBy: (kind, name) =>
    kind === "service" && !("account_id" in name)
      ? Effect.succeed(undefined)
      : store.findBy(kind, name),
  commit: (commit) =>
    store.commit({
      ...commit,
      keys: (commit.keys ?? []).filter(({ key }) => !/^active_service_(name|look):/.test(key)),
      writes: commit.writes.map((write) =>
        write.kind === "service"
          ? { ...write, record: { ...write.record, name_key: write.record.id } }
          : write,
      ),
    }),
})

/** Flaws of services and searches: each breaks one rule. */
export const registryFlaws: ReadonlyArray<Flaw> = [
  {
    name: "a search is answered with what was found before",
    noticed_by: [19],
    alterations: { store: searchesOnce },
  },
  {
    name: "deprecated services keep their tools",
    noticed_by: [19],
    alterations: { store: keepsDeprecated },
  },
  {
    name: "a page of tools begins behind where it should",
    noticed_by: [19],
    alterations: {
      store: (store) => ({
        ...store,
        list: changingList(store, "service", (listed, { from }) =>
          from === undefined ? listed : listed.slice(2),
        ),
      }),
    },
  },
  {
    name: "nobody hears that the tools have changed",
    noticed_by: [19],
    faults: { process_crashed: 0, process_paused: 0, store_full: 0, commit_unanswered: 0 },
    alterations: { store: (store) => ({ ...store, watchServices: () => () => undefined }) },
  },
  {
    name: "active names are not taken",
    noticed_by: [20],
    alterations: { store: unnamed },
  },
  {
    name: "a deprecated service can be deleted a day early",
    noticed_by: [85],
    alterations: manifests((record) =>
      record.status === "deprecated" && record.deprecated_at !== null
        ? { ...record, deprecated_at: record.deprecated_at - DAY }
        : record,
    ),
  },
]
