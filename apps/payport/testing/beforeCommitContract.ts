import { Cause, Effect, Exit, Fiber, type Scope } from "effect"
import type { BeforeCommit, CommitChange } from "../../../adapters/shared/BeforeCommit.ts"
import { HookFailed } from "../../../adapters/shared/BeforeCommit.ts"
import type { Store } from "../../../core/ports/Store.ts"
import { Failure } from "../../../core/shared/Failure.ts"
import { anApiKey, anEvent, anIntent, aReply, id, uuid } from "./records/index.ts"
import { type Check, collect, type Contract } from "./Contract.ts"
import { expect } from "./expect.ts"
import { insert, replace } from "./store/probe.ts"

/** Adds a row of the host's to the commit. */
export type Add = (text: string) => Promise<unknown>

/** A hook of the tests, for any second argument that the store passes. */
export interface TestHook extends Omit<BeforeCommit<never>, "run"> {
  readonly run: (change: CommitChange, add: Add) => unknown
}

/** A host with its own rows in a store. */
export interface HookedStore {
  /** A new store with that hook, and no rows. */
  readonly open: (hook: TestHook) => Effect.Effect<Store["Service"], never, Scope.Scope>
  /** The host's rows, in order. */
  readonly rows: Effect.Effect<ReadonlyArray<string>>
}

export const creation = (n = 1) => ({ writes: [insert("payment_intent", anIntent({ n }))] })

/** A hook for payments. */
const forPayments = (run: TestHook["run"], within?: number): TestHook => ({
  kinds: ["payment_intent"],
  run,
  within,
})

/** Returns the defect that a commit dies with; undefined if it does not die. */
export const deathOf = <E>(commit: Effect.Effect<void, E>): Effect.Effect<unknown> =>
  Effect.map(Effect.exit(commit), (exit) =>
    Exit.isSuccess(exit) ? undefined : exit.cause.reasons.find(Cause.isDieReason)?.defect,
  )

const refusal = new Failure({ code: "FORBIDDEN", message: "The shop is closed." })

/** A rejection with any value, as a host's code may reject. */
const rejected = (value: unknown) =>
  new Promise((_resolve, reject: (reason?: unknown) => void) => reject(value))

/** Mistakes of a hook, and the message for each. */
const WRONG: ReadonlyArray<readonly [string, TestHook["run"], RegExp]> = [
  [
    "throws",
    () => {
      throw new Error("broken")
    },
    /threw: broken/,
  ],
  ["rejects", () => Promise.reject(new Error("broken")), /threw: broken/],
  ["rejects with no error", () => rejected(Object.create(null)), /without a message/],
  ["hangs", () => new Promise(() => {}), /longer than 40 ms/],
  ["returns something", () => false, /return nothing/],
]

const until = (holds: () => boolean) =>
  Effect.sleep("5 millis").pipe(Effect.repeat({ while: () => !holds() }))

const hooks =
  (host: HookedStore) =>
  (check: Check<never>): void => {
    check.group("a hook before commits", () => {
      check("adds rows that are there with the commit, of which it is told", () =>
        Effect.gen(function* () {
          const told: Array<CommitChange> = []
          const store = yield* host.open(
            forPayments(async (change, add) => {
              told.push(change)
              for (const { kind, record } of change.records) {
                if (kind === "payment_intent") await add(`${record.id} ${record.amount.value}`)
              }
            }),
          )
          const event = anEvent({ subject_id: id("pi", 1) })
          const writes = [...creation().writes, insert("api_key", anApiKey())]
          yield* store.commit({ writes, events: [event] })
          expect(yield* host.rows).toStrictEqual([`${id("pi", 1)} 699`])
          expect(told).toMatchObject([
            {
              records: [{ op: "insert", kind: "payment_intent", record: { id: id("pi", 1) } }],
              events: [{ id: event.id, type: event.type }],
            },
          ])
          expect(told[0]?.records).toHaveLength(1)
          yield* store.commit({ writes: [insert("api_key", anApiKey({ n: 2 }))] })
          expect(told).toHaveLength(1)
        }),
      )

      check("changes nothing of a commit by what it does to what it is told", () =>
        Effect.gen(function* () {
          const store = yield* host.open(
            forPayments(({ events, records }) => {
              for (const { kind, record } of records) {
                if (kind === "payment_intent") Object.assign(record.amount, { value: 1 })
              }
              for (const { data } of events) Object.assign(data, { id: "other" })
            }),
          )
          const event = anEvent({ subject_id: id("pi", 1), data: { id: id("pi", 1) } })
          yield* store.commit({ ...creation(), events: [event] })
          expect(yield* store.find("payment_intent", id("pi", 1))).toMatchObject({
            amount: { value: 699 },
          })
          expect((yield* store.find("event", event.id))?.data).toStrictEqual({ id: id("pi", 1) })
        }),
      )

      check("refuses with a failure that it throws or returns", () =>
        Effect.gen(function* () {
          let run: TestHook["run"] = () => refusal
          const store = yield* host.open(
            forPayments(async (change, add) => {
              await add("gone")
              return run(change, add)
            }),
          )
          expect(yield* deathOf(store.commit(creation()))).toBe(refusal)
          run = () => {
            throw refusal
          }
          expect(yield* deathOf(store.commit(creation()))).toBe(refusal)
          expect(yield* store.find("payment_intent", id("pi", 1))).toBeUndefined()
          expect(yield* host.rows).toStrictEqual([])
        }),
      )

      for (const [wrong, run, said] of WRONG) {
        check(`that ${wrong} ends its commit alone`, () =>
          Effect.gen(function* () {
            let isWrong = true
            const store = yield* host.open(
              forPayments(
                async (change, add) => {
                  await add("row")
                  if (isWrong) return run(change, add)
                  return undefined
                },
                isWrong ? 40 : undefined,
              ),
            )
            const death = yield* deathOf(store.commit(creation()))
            expect(death).toBeInstanceOf(HookFailed)
            expect((death as HookFailed).message).toMatch(said)
            expect(yield* store.find("payment_intent", id("pi", 1))).toBeUndefined()
            expect(yield* host.rows).toStrictEqual([])
            isWrong = false
            yield* store.commit(creation())
            expect(yield* host.rows).toStrictEqual(["row"])
          }),
        )
      }

      check("leaves nothing of an attempt that was overtaken", () =>
        Effect.gen(function* () {
          let runs = 0
          const store = yield* host.open(
            forPayments((change, add) => add(`attempt ${(runs += 1)}`).then(() => undefined)),
          )
          yield* store.commit(creation())
          const stale = anIntent({ version: 7 })
          const conflict = yield* Effect.flip(
            store.commit({ writes: [replace("payment_intent", stale)] }),
          )
          expect(conflict).toMatchObject({ reason: { type: "stale_version" } })
          yield* store.commit({ writes: [replace("payment_intent", anIntent())] })
          expect(yield* host.rows).toStrictEqual(["attempt 1", "attempt 3"])
        }),
      )

      check("refuses nothing of a commit that meets another change", () =>
        Effect.gen(function* () {
          let isOpen = true
          const store = yield* host.open(forPayments(() => (isOpen ? undefined : refusal)))
          const first = { ...creation(), reply: aReply({ answer: "sealed:answer" }) }
          yield* store.commit(first)
          isOpen = false
          const again = { ...creation(2), reply: aReply({ holder: uuid(2) }) }
          const repeated = yield* Effect.flip(store.commit(again))
          expect(repeated).toMatchObject({ reason: { type: "reply_taken" } })
          const stale = { writes: [replace("payment_intent", anIntent({ version: 7 }))] }
          const overtaken = yield* Effect.flip(store.commit(stale))
          expect(overtaken).toMatchObject({ reason: { type: "stale_version" } })
          expect(yield* deathOf(store.commit(creation(2)))).toBe(refusal)
          expect(yield* store.find("payment_intent", id("pi", 2))).toBeUndefined()
        }),
      )

      check("of two commits of one record adds the row of the one that is stored", () =>
        Effect.gen(function* () {
          let runs = 0
          const store = yield* host.open(
            forPayments((_, add) => add(`row ${(runs += 1)}`).then(() => undefined)),
          )
          const both = [store.commit(creation()), store.commit(creation())]
          const ends = yield* Effect.all(both.map(Effect.exit), { concurrency: 2 })
          expect(ends.filter(Exit.isSuccess)).toHaveLength(1)
          expect(yield* host.rows).toHaveLength(1)
        }),
      )

      check("adds nothing once its commit is over, and holds up no other", () =>
        Effect.gen(function* () {
          let late: Add | undefined
          let letGo = () => {}
          const held = new Promise<void>((resolve) => (letGo = resolve))
          const store = yield* host.open(
            forPayments(async (_, add) => {
              late = add
              await held
            }),
          )
          const waiting = yield* Effect.forkChild(store.commit(creation()))
          yield* until(() => late !== undefined)
          yield* store.commit({ writes: [insert("api_key", anApiKey())] })
          letGo()
          yield* Fiber.join(waiting)
          const tooLate = yield* Effect.flip(Effect.tryPromise(async () => late?.("too late")))
          expect(tooLate.cause).toMatchObject({
            message: "The commit of this beforeCommit is over.",
          })
          expect(yield* host.rows).toStrictEqual([])
        }),
      )
    })
  }

/** Checks how every store treats hooks. */
export const beforeCommitContract = (host: HookedStore): Contract => ({
  checks: collect<never>((test) => test, [hooks(host)]),
  coverage: () => ({}),
})
