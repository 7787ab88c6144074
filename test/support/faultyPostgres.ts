import { Context, Effect, Layer, Schedule } from "effect"
import { Store } from "../../core/ports/Store.ts"
import * as PostgresStore from "../../adapters/postgres/PostgresStore.ts"
import { type CutPoint, StoreFaults } from "../../apps/payport/testing/store/faults.ts"
import { CuttingProxy, type Tap } from "./CuttingProxy.ts"
import { emptiedDatabase, session, type TestDatabase } from "./postgres.ts"

type Admin = Effect.Success<ReturnType<typeof session>>

const count = (admin: Admin, sql: string) =>
  Effect.map(admin.query(sql, [], false), ({ rows }) => Number(rows[0]?.["count"]))

const until = (admin: Admin, sql: string, reached: (count: number) => boolean) =>
  count(admin, sql).pipe(
    Effect.repeat({ until: reached, schedule: Schedule.spaced("5 millis") }),
    Effect.timeout("45 seconds"),
    Effect.orDie,
  )

/** Statements of the commit function under way, and those of them that wait for a lock. */
const AT_WORK = `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
  AND state = 'active' AND query LIKE '%payport_commit_%' AND pid <> pg_backend_pid()`
const WAITING = `${AT_WORK} AND wait_event_type = 'Lock'`

const cutBeforeRequest: Tap = { request: (cut) => cut() }
const cutBeforeAnswer: Tap = { answer: (cut) => cut() }

/** Blocks every commit, cuts the connection once the server waits, and then unblocks the server. */
const cutAtWork = <A, E, R>(
  proxy: CuttingProxy,
  admin: Admin,
  holder: Admin,
  commit: Effect.Effect<A, E, R>,
) =>
  Effect.gen(function* () {
    yield* holder.query("BEGIN")
    yield* holder.query("LOCK TABLE payment_intents IN ACCESS EXCLUSIVE MODE")
    let cut = () => {}
    proxy.arm({
      request: (cutNow, pass) => {
        cut = cutNow
        pass()
      },
    })
    const cutter = Effect.gen(function* () {
      yield* until(admin, WAITING, (waiting) => waiting > 0)
      cut()
      yield* holder.query("COMMIT")
    })
    const [answer] = yield* Effect.all([commit, cutter], { concurrency: 2 })
    return answer
  })

const makeFaults = (database: TestDatabase, proxy: CuttingProxy, another: Store["Service"]) =>
  Effect.gen(function* () {
    const admin = yield* session(database)
    const holder = yield* session(database)
    const cut = <A, E, R>(point: CutPoint, commit: Effect.Effect<A, E, R>) =>
      Effect.gen(function* () {
        if (point === "at_work") return yield* cutAtWork(proxy, admin, holder, commit)
        proxy.arm(point === "before_request" ? cutBeforeRequest : cutBeforeAnswer)
        return yield* commit
      }).pipe(
        Effect.tap(until(admin, AT_WORK, (working) => working === 0)),
        Effect.catchTag("SqlError", (error) => Effect.die(error)),
      )
    return StoreFaults.of({
      cut,
      failOnEvent: (eventId) =>
        Effect.acquireRelease(
          Effect.gen(function* () {
            yield* admin.query(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
              $$ BEGIN RAISE EXCEPTION 'made to fail'; END $$`)
            yield* admin.query(`CREATE TRIGGER fail AFTER INSERT ON events FOR EACH ROW
              WHEN (NEW.id = '${eventId.slice("evt_".length)}') EXECUTE FUNCTION fail()`)
          }),
          // A new session, since those of this test may be closed.
          () =>
            Effect.flatMap(session(database), (last) =>
              last.query("DROP FUNCTION IF EXISTS fail() CASCADE"),
            ).pipe(Effect.scoped, Effect.orDie),
        ),
      down: Effect.acquireRelease(
        Effect.sync(() => proxy.drop(true)),
        () => Effect.sync(() => proxy.drop(false)),
      ),
      another,
    })
  })

/** `Store` behind a proxy that cuts its connections, with the faults that control it. */
export const makeFaultyStore = () =>
  Layer.effectContext(
    Effect.gen(function* () {
      const database = yield* emptiedDatabase
      const proxy = yield* CuttingProxy.make(database)
      const behind = { ...database, host: "127.0.0.1", port: proxy.port }
      const stores = yield* Effect.all([
        Layer.build(PostgresStore.layer(behind)),
        Layer.build(PostgresStore.layer({ ...database, connectTimeout: 20 })),
      ])
      const [one, other] = stores.map((context) => Context.get(context, Store))
      if (one === undefined || other === undefined) return yield* Effect.die("two stores were made")
      const faults = yield* makeFaults(database, proxy, other)
      return Context.make(Store, one).pipe(Context.add(StoreFaults, faults))
    }),
  )
