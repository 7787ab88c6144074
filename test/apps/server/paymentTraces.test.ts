import { it } from "@effect/vitest"
import { Effect, Layer, Tracer } from "effect"
import { describe, expect } from "vitest"
import * as MemoryStore from "../../../adapters/memory/MemoryStore.ts"
import { CurrentCaller } from "../../../adapters/shared/CurrentCaller.ts"
import { parseTraceparent } from "../../../adapters/shared/Traceparent.ts"
import { tracedStore } from "../../../apps/server/observe/trace.ts"
import { Store } from "../../../core/ports/Store.ts"
import { anEvent, id, intentIn } from "../../support/records.ts"

const CREATOR = id("acct", 1)
const PAYEE = id("acct", 2)

const payment = intentIn("authorized", { account_id: CREATOR, payee_account_id: PAYEE })
const tell = (account_id: string, n: number) =>
  anEvent({ id: id("evt", n), account_id, subject_id: payment.id })
const EVENTS = [tell(CREATOR, 1), tell(PAYEE, 2)]

/** As a request of an account; returns its own trace. */
const requestOf = <A, E, R>(account_id: string, work: Effect.Effect<A, E, R>, sampled = true) =>
  Effect.andThen(
    work,
    Effect.map(Effect.currentSpan, ({ traceId }) => traceId),
  ).pipe(
    Effect.withSpan("request", { root: true, sampled }),
    Effect.provideService(CurrentCaller, { account_id }),
  )

const create = Effect.gen(function* () {
  yield* (yield* Store).commit({
    writes: [{ op: "insert", kind: "payment_intent", record: payment }],
  })
})

/** Captures the payment as it is stored, with what both accounts are told. */
const move = Effect.gen(function* () {
  const store = yield* Store
  const stored = yield* store.find("payment_intent", payment.id)
  const record = { ...stored!, description: "moved" }
  yield* store.commit({
    writes: [{ op: "replace", kind: "payment_intent", record }],
    events: EVENTS,
  })
})

const traceOf = (traceparent: string | null | undefined) =>
  parseTraceparent(traceparent ?? undefined)?.traceId

/** Returns the traces of the creator's and the payee's events. */
const told = Effect.gen(function* () {
  const store = yield* Store
  const found = yield* Effect.forEach(EVENTS, (event) => store.find("event", event.id))
  return found.map((event) => traceOf(event?.traceparent))
})

/** A tracer that keeps the spans, as an exporter does. */
const recording = () => {
  const spans: Array<Tracer.Span> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    },
  })
  return { spans, tracer }
}

describe("the trace of a payment's creation", () => {
  const traced = Layer.provide(tracedStore, MemoryStore.layer)

  it.effect("goes on where another account moves it, and only to who created it", () => {
    const { spans, tracer } = recording()
    return Effect.gen(function* () {
      const created = yield* requestOf(CREATOR, create)
      const moved = yield* requestOf(PAYEE, move)
      expect(yield* told).toEqual([created, moved])
      const event = spans.find(({ name }) => name === "event")
      const commits = spans.filter(({ name }) => name === "commit")
      expect(event?.parent).toMatchObject({ value: { spanId: commits[0]?.spanId } })
      expect(event?.links.map(({ span }) => span.traceId)).toEqual([moved])
    }).pipe(Effect.provide(traced), Effect.provideService(Tracer.Tracer, tracer))
  })

  it.effect("goes on where a worker moves it, which has no trace", () =>
    Effect.gen(function* () {
      const created = yield* requestOf(CREATOR, create)
      yield* Effect.withTracerEnabled(move, false)
      expect(yield* told).toEqual([created, undefined])
    }).pipe(Effect.provide(traced)),
  )

  it.effect("gives way to that of the creator's own request", () =>
    Effect.gen(function* () {
      yield* requestOf(CREATOR, create)
      const moved = yield* requestOf(CREATOR, move)
      const [own, other] = yield* told
      expect(own).toBe(moved)
      expect(other).not.toBe(moved)
    }).pipe(Effect.provide(traced)),
  )

  it.effect("is not kept where nobody records it", () =>
    Effect.gen(function* () {
      yield* requestOf(CREATOR, create, false)
      const stored = yield* (yield* Store).find("payment_intent", payment.id)
      expect(stored?.traceparent).toBeNull()
      yield* Effect.withTracerEnabled(move, false)
      expect(yield* told).toEqual([undefined, undefined])
    }).pipe(Effect.provide(traced)),
  )
})
