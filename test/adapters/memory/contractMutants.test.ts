import { Effect, Layer, Logger } from "effect"
import * as MemoryDocuments from "../../../adapters/memory/MemoryDocuments.ts"
import * as MemoryRateLeases from "../../../adapters/memory/MemoryRateLeases.ts"
import * as MemoryStore from "../../../adapters/memory/MemoryStore.ts"
import { documentsContract } from "../../../apps/payport/testing/documentsContract.ts"
import { rateLeasesContract } from "../../../apps/payport/testing/rateLeasesContract.ts"
import { storeContract } from "../../../apps/payport/testing/storeContract.ts"
import { Documents } from "../../../core/ports/Documents.ts"
import { RateLeases } from "../../../core/ports/RateLeases.ts"
import {
  ALL_KINDS,
  type Commit,
  DUE_KINDS,
  KINDS,
  type DueKind,
  Store,
  StoreUnavailable,
} from "../../../core/ports/Store.ts"
import { noticesMutants, type Flaws } from "../../support/mutation.ts"

type Service = Store["Service"]

/** Stores something else than a commit says. */
const storing = (change: (commit: Commit) => Commit) => (sound: Service) => ({
  commit: (commit: Commit) => sound.commit(change(commit)),
})

/** Stores a commit without one of its parts. */
const without = (part: keyof Commit) =>
  storing(({ [part]: _, ...commit }) => ({ writes: [], ...commit }))

const PARTS = [
  "writes",
  "events",
  "guards",
  "keys",
  "reservations",
  "postings",
  "fee_days",
  "reply",
  "audit",
] as const satisfies ReadonlyArray<keyof Commit>

const ERASED = ALL_KINDS.filter((kind) => KINDS[kind].erased)

/** Answers undefined or nothing for one kind of record. */
const blindTo = {
  find: (sound: Service, blind: string): Pick<Service, "find"> => ({
    find: (kind, id) => (kind === blind ? Effect.succeed(undefined) : sound.find(kind, id)),
  }),
  claimDue: (sound: Service, blind: string): Pick<Service, "claimDue"> => ({
    claimDue: (kind, now, options) =>
      kind === blind ? Effect.succeed([]) : sound.claimDue(kind, now, options),
  }),
}

const forgetful = (sound: Service, of: string): Pick<Service, "find"> => ({
  find: (kind, id) =>
    Effect.map(sound.find(kind, id), (record) =>
      record === undefined || kind !== of
        ? record
        : (Object.fromEntries(Object.entries(record).slice(2)) as typeof record),
    ),
})

const each = <K extends string>(
  kinds: ReadonlyArray<K>,
  what: string,
  make: (sound: Service, kind: K) => Partial<Service>,
) =>
  Object.fromEntries(
    kinds.map((kind) => [`${what} ${kind}`, (sound: Service) => make(sound, kind)]),
  )

const commitFlaws: Flaws<Service>["commit"] = {
  ...Object.fromEntries(PARTS.map((part) => [`forgets ${part}`, without(part)])),
  ...each(ALL_KINDS, "does not store", (sound, kind) =>
    storing((commit) => ({
      ...commit,
      writes: commit.writes.filter((write) => write.kind !== kind),
    }))(sound),
  ),
  "stores the first write alone": storing(({ writes, ...commit }) => ({
    ...commit,
    writes: writes.slice(0, 1),
  })),
  "stores one event alone": storing(({ events = [], ...commit }) => ({
    ...commit,
    events: events.slice(0, 1),
  })),
  "stores nothing": () => ({ commit: () => Effect.void }),
  "says nothing of conflicts": (sound) => ({
    commit: (commit) => Effect.catchTag(sound.commit(commit), "Conflict", () => Effect.void),
  }),
  "stores a part of what is in conflict": (sound) => ({
    commit: (commit) =>
      Effect.tapError(sound.commit(commit), () =>
        Effect.ignore(sound.commit({ writes: [], events: commit.events ?? [] })),
      ),
  }),
  "stores the records of what is in conflict": (sound) => ({
    commit: (commit) =>
      Effect.tapError(sound.commit(commit), () =>
        Effect.ignore(sound.commit({ writes: commit.writes })),
      ),
  }),
  "stores in two steps": (sound) => ({
    commit: ({ writes, ...rest }) =>
      Effect.andThen(sound.commit({ writes }), sound.commit({ writes: [], ...rest })),
  }),
  "takes what is stale": (sound) => ({
    commit: (commit) =>
      Effect.catchTag(sound.commit(commit), "Conflict", (conflict) =>
        conflict.reason.type === "stale_version" ? Effect.void : Effect.fail(conflict),
      ),
  }),
  "takes conflicts for a store that is away": (sound) => ({
    commit: (commit) =>
      Effect.catchTag(sound.commit(commit), "Conflict", (cause) =>
        Effect.fail(new StoreUnavailable({ outcome: "not_stored", cause })),
      ),
  }),
  "knows no limit": storing(({ reservations = [], ...commit }) => ({
    ...commit,
    reservations: reservations.map((one) => ({ ...one, limit: Infinity })),
  })),
  "gives nothing back": storing(({ reservations = [], ...commit }) => ({
    ...commit,
    reservations: reservations.filter(({ add }) => add > 0),
  })),
  "counts what it gives back against the limit": storing(({ reservations = [], ...commit }) => ({
    ...commit,
    reservations: reservations.map((one) => (one.add < 0 ? { ...one, add: 0 } : one)),
  })),
  "releases nothing": storing(({ keys = [], ...commit }) => ({
    ...commit,
    keys: keys.filter(({ op }) => op === "claim"),
  })),
  "releases for anybody": storing(({ keys = [], ...commit }) => ({
    ...commit,
    keys: keys.map((change) => (change.op === "claim" ? change : { ...change, owner: "a" })),
  })),
  "takes keys for the same in other letters": storing(({ keys = [], ...commit }) => ({
    ...commit,
    keys: keys.map((change) => ({ ...change, key: change.key.toLowerCase().trim() })),
  })),
  "gives an answer to anybody": storing(({ reply, ...commit }) => ({
    ...commit,
    ...(reply && { reply: { ...reply, holder: "anybody" } }),
  })),
  "takes an unbalanced journal": storing(({ postings = [], ...commit }) => ({
    ...commit,
    postings: postings.length > 0 ? postings.slice(0, 0) : postings,
  })),
  "opens a fee day anew": (sound) => ({
    commit: ({ fee_days = [], ...commit }) =>
      Effect.flatMap(
        sound.findMany(
          "fee_day",
          fee_days.map(({ id }) => id),
        ),
        (known) =>
          sound.commit({
            ...commit,
            fee_days: fee_days.filter(({ id }) => known.every((one) => one.id !== id)),
          }),
      ),
  }),
}

const claimFlaws: Flaws<Service>["claimDue"] = {
  ...each(DUE_KINDS, "hands out no", blindTo.claimDue),
  "leases nothing": (sound) => ({
    claimDue: (kind, now, options) => sound.claimDue(kind, now, { ...options, lease: 0 }),
  }),
  "leases for ever": (sound) => ({
    claimDue: (kind, now, options) => sound.claimDue(kind, now, { ...options, lease: 1e15 }),
  }),
  "hands out what is not due": (sound) => ({
    claimDue: (kind, now, options) => sound.claimDue(kind, now + 1_000, options),
  }),
  "leaves versions as they are": (sound) => ({
    claimDue: (kind, now, options) =>
      Effect.map(sound.claimDue(kind, now, options), (all) =>
        all.map((record) => ({ ...record, version: record.version - 1 })),
      ),
  }),
  "hands out what is stored": (sound) => ({
    claimDue: <K extends DueKind>(kind: K, ...rest: [number, { limit: number; lease: number }]) =>
      Effect.flatMap(sound.claimDue(kind, ...rest), (all) =>
        Effect.map(
          sound.findMany(
            kind,
            all.map(({ id }) => id),
          ),
          (stored) =>
            stored.map((record) =>
              "status" in record && kind === "delivery" ? { ...record, status: "pending" } : record,
            ) as typeof all,
        ),
      ),
  }),
  "loses what it cannot hand out": (sound) => ({
    claimDue: (kind, now, options) =>
      Effect.map(sound.claimDue(kind, now, { ...options, limit: options.limit + 1 }), (all) =>
        all.slice(0, options.limit),
      ),
  }),
}

const flaws: Flaws<Service> = {
  commit: commitFlaws,
  claimDue: claimFlaws,
  find: {
    ...each(ALL_KINDS, "finds no", blindTo.find),
    ...each(ALL_KINDS, "forgets a field of", forgetful),
  },
  dueKinds: {
    "names all": () => ({ dueKinds: () => Effect.succeed(new Set(DUE_KINDS)) }),
    "names none": () => ({ dueKinds: () => Effect.succeed(new Set()) }),
  },
  purgeReplies: {
    "forgets those that run": (sound) => ({
      purgeReplies: (_, limit) => sound.purgeReplies(1e15, limit),
    }),
    "forgets nothing": () => ({ purgeReplies: () => Effect.succeed(0) }),
    "forgets more than it is to": (sound) => ({
      purgeReplies: (now, limit) =>
        Effect.map(sound.purgeReplies(now, 1_000), (count) => Math.min(count, limit)),
    }),
  },
  purgeDayCounters: {
    "forgets other counters": (sound) => ({
      purgeDayCounters: (_, day) => sound.purgeDayCounters("", day),
    }),
    "forgets days to come": (sound) => ({
      purgeDayCounters: (prefix) => sound.purgeDayCounters(prefix, "9999-12-31"),
    }),
    "forgets nothing": () => ({ purgeDayCounters: () => Effect.succeed(0) }),
  },
  eraseAccountData: {
    "erases nothing": () => ({ eraseAccountData: () => Effect.void }),
    "erases the account": (sound) => ({
      eraseAccountData: (id) =>
        Effect.gen(function* () {
          yield* sound.eraseAccountData(id)
          const record = yield* sound.find("account", id)
          const write = record && ({ op: "remove", kind: "account", record } as const)
          if (write !== undefined) yield* Effect.ignore(sound.commit({ writes: [write] }))
        }),
    }),
    ...each(ERASED, "keeps each", (sound, kind) => ({
      eraseAccountData: (id) =>
        Effect.gen(function* () {
          const kept = yield* sound.scan(kind, { after: undefined, limit: 1_000 })
          yield* sound.eraseAccountData(id)
          for (const record of kept) {
            const again = { op: "insert", kind, record: { ...record, version: 1 } } as never
            yield* Effect.ignore(sound.commit({ writes: [again] }))
          }
        }),
    })),
  },
  watch: {
    "tells nobody": () => ({ watch: () => () => undefined }),
    "never stops": (sound) => ({
      watch: (id, listener) => (sound.watch(id, listener), () => undefined),
    }),
    "tells of one change": (sound) => ({
      watch: (id, listener) => {
        let told = false
        return sound.watch(id, () => {
          if (!told) listener()
          told = true
        })
      },
    }),
  },
  watchServices: {
    "tells nobody": () => ({ watchServices: () => () => undefined }),
    "never stops": (sound) => ({
      watchServices: (listener) => (sound.watchServices(listener), () => undefined),
    }),
  },
  ping: {
    "says that it is away": () => ({
      ping: () => Effect.fail(new StoreUnavailable({ outcome: "not_stored", cause: "away" })),
    }),
  },
}

/** Mutants that no caller can notice. */
const HARMLESS = [
  // Their order is not specified.
  /^findMany answers in the opposite order/,
  // It says what may be cached, and does not affect the count.
  /^countQrCodes (does not heed|takes) now/,
  // A ping has no answer but that it succeeds.
  /^ping answers/,
]

noticesMutants<Service>(
  (change) => {
    const changed = Layer.effect(Store, Effect.map(Store, change))
    const store = Layer.provide(changed, MemoryStore.layer)
    return storeContract({ open: () => Layer.merge(store, Logger.layer([])) })
  },
  flaws,
  HARMLESS,
)

noticesMutants<Documents["Service"]>((change) => {
  const changed = Layer.effect(Documents, Effect.map(Documents, change))
  return documentsContract({ open: () => Layer.provide(changed, MemoryDocuments.layer) })
}, {})

noticesMutants<RateLeases["Service"]>((change) => {
  const changed = Layer.effect(RateLeases, Effect.map(RateLeases, change))
  return rateLeasesContract({ open: () => Layer.provide(changed, MemoryRateLeases.layer) })
}, {})
