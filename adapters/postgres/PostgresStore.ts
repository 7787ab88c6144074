import { Context, Effect, Layer, type Scope } from "effect"
import { findOutcome } from "../../core/commits/findOutcome.ts"
import { Documents } from "../../core/ports/Documents.ts"
import { RateLeases } from "../../core/ports/RateLeases.ts"
import { ReferenceClock } from "../../core/ports/ReferenceClock.ts"
import { Store } from "../../core/ports/Store.ts"
import { isUuid } from "../../core/shared/Id.ts"
import { type BeforeCommit, isHooked } from "../shared/BeforeCommit.ts"
import { ReplicaStates } from "../shared/ReplicaStates.ts"
import { RecordListeners, ServiceListeners } from "../shared/StoreListeners.ts"
import { BacklogReads } from "./Backlog.ts"
import { backlogReads } from "./reads/backlogReads.ts"
import { accountReads } from "./reads/accountReads.ts"
import { subscriptionReads } from "./reads/subscriptionReads.ts"
import { type CachedReads, cachedReads } from "./reads/cachedReads.ts"
import { followChanges } from "./reads/changesFromOthers.ts"
import { accessTo, configOf, type DatabaseSettings, ownSessions } from "./access.ts"
import type { ConnectionSettings, ReplicaSettings } from "./ConnectionSettings.ts"
import { type Database, inRealTime, openDatabase, type ReadPools } from "./database.ts"
import { type DatabaseUnusable, unusable } from "./DatabaseUnusable.ts"
import { dueWork } from "./dueWork.ts"
import { type CommitHooks, makeGroupCommit } from "./commit/groupCommit.ts"
import { makeHookedCommit } from "./commit/hookedCommit.ts"
import type { HostSql } from "./commit/HostStatements.ts"
import { intentReads } from "./reads/intentReads.ts"
import { ledgerReads } from "./reads/ledgerReads.ts"
import { migrate } from "./migrate.ts"
import { prepareSchema } from "./prepareSchema.ts"
import { RELEASES } from "./schema/releases.ts"
import { STEPS } from "./schema.ts"
import { auditReads } from "./reads/auditReads.ts"
import { postgresDocuments } from "./PostgresDocuments.ts"
import { postgresRateLeases } from "./postgresRateLeases.ts"
import { referenceClock } from "./reads/referenceClock.ts"
import { makeReadiness, readinessWrite } from "./readiness.ts"
import { recordReads } from "./reads/recordReads.ts"
import { openReplicas } from "./replicas/openReplicas.ts"
import { readApart, writeForAsker } from "./replicas/readApart.ts"
import { reportReads } from "./reads/reportReads.ts"
import { revocationReads } from "./reads/revocationReads.ts"
import { listingReads } from "./reads/listingReads.ts"
import { keepFolding } from "./search/keepFolding.ts"
import { searchReads } from "./search/searchReads.ts"
import { usageReads } from "./reads/usageReads.ts"
import { upkeep } from "./upkeep.ts"

/** The lists, searches and reports, which a replica can answer, too. */
const questions = (pools: ReadPools, wake: () => void) => ({
  ...searchReads(pools, wake),
  ...listingReads(pools),
  ...intentReads(pools),
  ...usageReads(pools),
  ...ledgerReads(pools),
  ...auditReads(pools),
  ...reportReads(pools),
  ...subscriptionReads(pools),
})

const makeStore = Effect.fnUntraced(function* (
  database: Database,
  hook: BeforeCommit<HostSql> | undefined,
) {
  const accounts = accountReads(database)
  const records = recordReads(database)
  const services = new ServiceListeners()
  const {
    forget,
    hear: _hear,
    observe: _observe,
    ...cached
  } = yield* cachedAndFollowed(database, services, {
    findCredential: accounts.findCredential,
    find: records.find,
  })
  const listeners = new RecordListeners()
  const told = { changed: forget, stored: listeners.notify }
  const grouped = yield* makeGroupCommit(database, told)
  const commit = hook === undefined ? grouped : hookedOr(grouped, database, hook, told)
  const readiness = makeReadiness(readinessWrite(database))
  const { wake } = yield* keepFolding(database)
  const store: Store["Service"] = {
    ...accounts,
    ...records,
    ...questions(database, wake),
    ...cached,
    ...revocationReads(database),
    ...dueWork(database),
    ...upkeep(database, forget),
    commit: (wanted) =>
      Effect.catchTag(commit(wanted), "StoreUnavailable", (lost) => {
        readiness.learn(lost)
        const { findReply } = accounts
        return inRealTime(findOutcome({ commit, find: records.find, findReply }, wanted, lost))
      }),
    watch: (id, listener) => listeners.add(id, listener),
    watchServices: (listener) => services.add(listener),
    ping: readiness.ping,
  }
  return { store, wake }
})

const cachedAndFollowed = Effect.fnUntraced(function* (
  database: Database,
  services: ServiceListeners,
  reads: Parameters<typeof cachedReads>[0],
) {
  const kept = cachedReads(reads)
  const run = Effect.runSyncWith(yield* Effect.context())
  const cached: CachedReads = {
    ...kept,
    forget: (ids) => {
      kept.forget(ids)
      // Of the records whose changes are notified, only services have ids without a prefix.
      run(services.notify(ids === "everything" ? ids : ids.filter(isUuid)))
    },
    hear: (heard) => {
      kept.hear(heard)
      // Changes that were announced while nobody listened are not announced again.
      if (heard) run(services.notify("everything"))
    },
  }
  yield* cached.observe
  yield* Effect.forkScoped(followChanges(database, cached))
  return cached
})

/** Commits with a host's statements leave the group, so that other commits do not wait for them. */
const hookedOr = (
  grouped: Store["Service"]["commit"],
  database: Database,
  hook: BeforeCommit<HostSql>,
  told: CommitHooks,
): typeof grouped => {
  const hooked = makeHookedCommit(database, hook, told)
  return (commit) => (isHooked(hook, commit) ? hooked(commit) : grouped(commit))
}

/** The roles of the schema, and the host that takes part in commits. */
export interface SchemaOwner {
  /** The role that owns the schema and migrates it first. By default the service's role. */
  readonly owner?: ConnectionSettings
  /** Whether the service's role must own nothing. */
  readonly mustOwnNothing?: boolean
  /** The host's hook in the transactions of commits. */
  readonly beforeCommit?: BeforeCommit<HostSql> | undefined
}

/** Adds the replicas to the store and the documents, and a function that returns their states. */
const answeredApart = Effect.fnUntraced(function* (
  database: Database,
  settings: ReplicaSettings | undefined,
  { store, wake }: { readonly store: Store["Service"]; readonly wake: () => void },
) {
  const documents = postgresDocuments(database)
  if (settings === undefined) return { store, documents, states: () => [] }
  const readsOf = (pools: ReadPools) => ({ ...recordReads(pools), ...questions(pools, wake) })
  const { replicas, writers } = yield* openReplicas(database, settings, readsOf)
  const states = () => replicas.map(({ state }) => state)
  return {
    store: readApart(store, replicas, writers),
    documents: writeForAsker(documents, writers),
    states,
  }
})

type Ports = Store | Documents | RateLeases | ReferenceClock | BacklogReads

/** The result of a migration. */
export interface Migration {
  /** The names of the steps that migrated an older database. */
  readonly taken: ReadonlyArray<string>
  /** The oldest release whose processes may run beside this version. */
  readonly oldest: string
}

/**
 * Makes the schema or migrates it, as its owner, and grants the service's role what it needs. Fails
 * with `DatabaseUnusable`, which names the place and never the login.
 */
export const migrateAs = (
  owner: ConnectionSettings,
  service: ConnectionSettings,
): Effect.Effect<Migration, DatabaseUnusable> =>
  configOf({ ...owner, schema: service.schema ?? owner.schema }).pipe(
    Effect.flatMap((config) => migrate(ownSessions(config, owner), STEPS, service.username)),
    Effect.map(({ beside, taken }) => ({
      taken,
      oldest: RELEASES.find(({ step }) => step >= beside)?.version ?? "this one",
    })),
    Effect.catchTag("SqlError", (error) => unusable(owner)(error)),
    inRealTime,
  )

const make: (
  settings: DatabaseSettings,
  schema: SchemaOwner,
) => Effect.Effect<Context.Context<Ports>, DatabaseUnusable, Scope.Scope> = Effect.fnUntraced(
  function* (settings, { beforeCommit, mustOwnNothing = false, owner }) {
    if (owner !== undefined) yield* migrateAs(owner, settings)
    const access = yield* accessTo(settings)
    yield* prepareSchema(access.sessions, STEPS, mustOwnNothing)
    const database = yield* openDatabase(settings, access)
    const { store, wake } = yield* makeStore(database, beforeCommit)
    const apart = yield* answeredApart(database, settings.replicas, { store, wake })
    return Context.make(Store, apart.store).pipe(
      Context.add(ReplicaStates, apart.states),
      Context.add(Documents, apart.documents),
      Context.add(RateLeases, postgresRateLeases(database)),
      Context.add(ReferenceClock, referenceClock(database)),
      Context.add(BacklogReads, backlogReads(database)),
    )
  },
  (effect, settings) =>
    inRealTime(Effect.catchTag(effect, "SqlError", (error) => unusable(settings)(error))),
)

/**
 * `Store`, `Documents`, `RateLeases`, `ReferenceClock` and `BacklogReads` on a PostgreSQL database.
 * Fails with `DatabaseUnusable`, which names the place and never the login.
 */
export const layer = (
  settings: DatabaseSettings,
  schema: SchemaOwner = {},
): Layer.Layer<Ports, DatabaseUnusable> => Layer.effectContext(make(settings, schema))
