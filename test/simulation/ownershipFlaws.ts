import { Effect } from "effect"
import type { Store } from "../../core/ports/Store.ts"
import { type Flaw, storing } from "./flaw.ts"
import type { Endpoint } from "../../core/webhooks/endpoints/Endpoint.ts"
import { changing } from "../support/finding.ts"

type StoreService = Store["Service"]

/** Gives everybody the events of the account that had one first. */
const sharesEvents = (store: StoreService): StoreService => {
  let first: string | undefined
  return {
    ...store,
    commit: (commit) => {
      first ??= commit.events?.[0]?.account_id
      return store.commit(commit)
    },
    list: (kind, query) =>
      kind === "event" && first !== undefined
        ? store.list(kind, { ...query, by: { ...query.by, account_id: first } })
        : store.list(kind, query),
  }
}

/** Finds endpoints as they were registered. */
const neverChanged = (store: StoreService): StoreService => {
  const found = new Map<string, Endpoint>()
  return {
    ...store,
    find: changing(store, "endpoint", (endpoint) => {
      const first = found.get(endpoint.id) ?? endpoint
      found.set(endpoint.id, first)
      return { ...first, version: endpoint.version }
    }),
  }
}

/** Flaws of ownership: each breaks one rule. */
export const ownershipFlaws: ReadonlyArray<Flaw> = [
  {
    name: "everybody reads the events of whoever had one first",
    noticed_by: [46],
    alterations: { store: sharesEvents },
  },
  {
    name: "endpoints are read as they were read first",
    noticed_by: [26],
    alterations: { store: neverChanged },
  },
  {
    name: "what is stored of an identity is logged",
    noticed_by: [44],
    alterations: {
      store: (store) => ({
        ...store,
        commit: (commit) =>
          Effect.andThen(Effect.logDebug(JSON.stringify(commit)), store.commit(commit)),
      }),
    },
  },
  {
    name: "events tell what signs for them",
    noticed_by: [44],
    alterations: storing(({ events = [], ...commit }) => ({
      ...commit,
      events: events.map((event) => ({
        ...event,
        data: { ...event.data, secret: `whsec_${"s".repeat(43)}` },
      })),
    })),
  },
  {
    name: "rows of the ledger are read without their journals",
    noticed_by: [6],
    alterations: {
      store: (store) => ({
        ...store,
        listPostings: (query) =>
          Effect.map(store.listPostings(query), (rows) =>
            rows.map((row) => ({ ...row, journal: row.id })),
          ),
      }),
    },
  },
]
