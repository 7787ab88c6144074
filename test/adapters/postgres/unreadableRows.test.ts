import { expect, it } from "@effect/vitest"
import { Context, Effect, Layer, Logger, References } from "effect"
import { TestClock } from "effect/testing"
import * as PostgresStore from "../../../adapters/postgres/PostgresStore.ts"
import { tableOf } from "../../../adapters/postgres/tables.ts"
import { timestamp } from "../../../adapters/postgres/tables/codecs.ts"
import { makeVault } from "../../../adapters/crypto/Vault.ts"
import { dueRecord } from "../../../apps/payport/testing/store/dueRecords.ts"
import { DUE_KINDS, type Kind, Store } from "../../../core/ports/Store.ts"
import { WallClock } from "../../../core/ports/WallClock.ts"
import { type WebhookRequest, WebhookSender } from "../../../core/ports/WebhookSender.ts"
import { MINUTE, SECOND } from "../../../core/shared/Timestamp.ts"
import { endpointSecretPlace } from "../../../core/webhooks/endpoints/Endpoint.ts"
import { runDue } from "../../../core/work/runDue.ts"
import { aDelivery, anAccount, anEndpoint, anEvent, id, T0 } from "../../support/records.ts"
import { ownerOf, session, testDatabase } from "../../support/postgres.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { world } from "../../support/world.ts"

const lease = 30 * SECOND

interface Line {
  readonly id: unknown
  readonly kind: unknown
  readonly level: string
}

/** The column of a time that each record of the kind has. One kind has none. */
const timeIn = (kind: Kind) => tableOf(kind).columns.find(({ codec }) => codec === timestamp)?.name

const logging = (lines: Array<Line>) =>
  Logger.layer([
    Logger.make(({ fiber, logLevel: level }) => {
      const { id, kind } = fiber.getRef(References.CurrentLogAnnotations)
      lines.push({ id, kind, level })
    }),
  ])

const open = Effect.gen(function* () {
  const database = yield* testDatabase
  const admin = yield* session(ownerOf(database))
  const process = Effect.map(Layer.build(PostgresStore.layer(database)), (built) =>
    Context.get(built, Store),
  )
  /** Removes a time that a record must have, as nothing but a person in the database can. */
  const spoil = (kind: Kind, record: string) => {
    const { name } = tableOf(kind)
    const column = timeIn(kind)
    const bare = record.replace(/^[a-z]+_/, "")
    return Effect.andThen(
      admin.query(`ALTER TABLE payport.${name} ALTER ${column} DROP NOT NULL`),
      admin.query(`UPDATE payport.${name} SET ${column} = NULL WHERE id = '${bare}'`),
    )
  }
  /** Undoes this, which stands for a process whose version can read the row as it is. */
  const restore = (kind: Kind, record: string) => {
    const { name } = tableOf(kind)
    const column = timeIn(kind)
    const bare = record.replace(/^[a-z]+_/, "")
    return admin.query(
      `UPDATE payport.${name} SET ${column} = to_timestamp(${T0 / 1000}) WHERE id = '${bare}'`,
    )
  }
  return { store: yield* process, another: yield* process, spoil, restore }
})

it.effect("a row that cannot be read is set aside, logged, and stops no other work", () => {
  const lines: Array<Line> = []
  return Effect.gen(function* () {
    const { spoil, store } = yield* open
    for (const kind of DUE_KINDS.filter((each) => timeIn(each) !== undefined)) {
      const [bad, good] = [1, 2].map((n) => dueRecord[kind](n, T0 + n))
      for (const record of [bad, good])
        yield* store.commit({ writes: [{ op: "insert", kind, record } as never] })
      yield* spoil(kind, bad!.id)
      lines.length = 0
      const claim = (now: number, limit: number) => store.claimDue(kind, now, { limit, lease })
      expect(yield* claim(T0 + MINUTE, 1), kind).toMatchObject([{ id: good!.id }])
      expect(lines, kind).toEqual([{ id: bad!.id, kind, level: "Error" }])
      expect(yield* claim(T0 + MINUTE, 1), kind).toEqual([])
      expect(yield* claim(T0 + 2 * MINUTE, 2), kind).toMatchObject([{ id: good!.id }])
      expect(lines, kind).toHaveLength(2)
    }
  }).pipe(Effect.scoped, Effect.provide(logging(lines)))
})

it.effect("a row that a process cannot read is at once another's, and left to it", () =>
  Effect.gen(function* () {
    const { another, restore, spoil, store } = yield* open
    for (const kind of DUE_KINDS.filter((each) => timeIn(each) !== undefined)) {
      const record = dueRecord[kind](1, T0)
      yield* store.commit({ writes: [{ op: "insert", kind, record } as never] })
      yield* spoil(kind, record.id)
      const now = T0 + MINUTE
      expect(yield* store.claimDue(kind, now, { limit: 2, lease }), kind).toEqual([])
      yield* restore(kind, record.id)
      // The process that could not read it does not take it from the one that can.
      expect(yield* store.claimDue(kind, now + 1, { limit: 2, lease }), kind).toEqual([])
      const claimed = yield* another.claimDue(kind, now + 1, { limit: 2, lease })
      expect(claimed, kind).toMatchObject([{ id: record.id }])
      // It may be repaired: then it is anybody's, once the other's lease has ended.
      const later = now + 2 * lease
      const again = yield* store.claimDue(kind, later, { limit: 2, lease })
      expect(again, kind).toMatchObject([{ id: record.id }])
    }
  }).pipe(Effect.scoped, Effect.provide(logging([]))),
)

it.effect("rows of one claim that cannot be read are logged in one line", () => {
  const lines: Array<Line> = []
  return Effect.gen(function* () {
    const { spoil, store } = yield* open
    const records = Array.from({ length: 30 }, (_, n) => dueRecord.quote(n + 1, T0 + n))
    for (const record of records) {
      yield* store.commit({ writes: [{ op: "insert", kind: "quote", record } as never] })
      yield* spoil("quote", record.id)
    }
    lines.length = 0
    expect(yield* store.claimDue("quote", T0 + MINUTE, { limit: 30, lease })).toEqual([])
    const told = records.slice(0, 20).map((record) => record.id)
    expect(lines).toEqual([{ id: told.join(" "), kind: "quote", level: "Error" }])
  }).pipe(Effect.scoped, Effect.provide(logging(lines)))
})

it.effect("deliveries are attempted beside one whose event cannot be read", () => {
  const vault = makeVault(new Uint8Array(32).fill(7))
  const secret = vault.seal(endpointSecretPlace(id("we", 1)), "whsec_x")
  const sent: Array<string> = []
  const send = ({ body }: WebhookRequest) =>
    Effect.sync(() => {
      sent.push(/evt_[0-9a-f-]+/.exec(body)?.[0] ?? body)
      return { status: 200, duration_ms: 1 }
    })
  const ports = Layer.mergeAll(
    Layer.succeed(WebhookSender, { send }),
    Layer.succeed(WallClock, { now: Effect.succeed(T0) }),
    world(makeScript()),
    logging([]),
  )
  return Effect.gen(function* () {
    yield* TestClock.setTime(T0)
    const { spoil, store } = yield* open
    const writes = [1, 2, 3].flatMap((n) => [
      { op: "insert", kind: "event", record: anEvent({ n, due_at: null }) } as const,
      {
        op: "insert",
        kind: "delivery",
        record: aDelivery({
          n,
          event_id: id("evt", n),
          endpoint_id: id("we", 1),
          service_id: null,
        }),
      } as const,
    ])
    const account = { op: "insert", kind: "account", record: anAccount() } as const
    const endpoint = { op: "insert", kind: "endpoint", record: anEndpoint({ secret }) } as const
    yield* store.commit({ writes: [account, endpoint, ...writes] })
    yield* spoil("event", id("evt", 2))
    yield* Effect.provideService(runDue(), Store, store)
    expect(sent.toSorted()).toEqual([id("evt", 1), id("evt", 3)])
  }).pipe(Effect.scoped, Effect.provide(ports))
})
