import { Effect, Logger } from "effect"
import { expect } from "../expect.ts"
import { HELD, holdingCounter } from "../../../../core/accounts/Holding.ts"
import { contactCounter } from "../../../../core/kyc/verifications/Person.ts"
import { ALL_KINDS, type Kind, KINDS, type Records, Store } from "../../../../core/ports/Store.ts"
import {
  anAccount,
  anAgent,
  anApiKey,
  anEvent,
  anIntent,
  aService,
  id,
  T0,
  uuid,
  anInstall,
  verificationIn,
  oneOfEachKind,
} from "../records/index.ts"
import { data, household } from "./household.ts"
import {
  type StoreCheck,
  commit,
  counterValue,
  hasVersion,
  insert,
  keyHolder,
  replace,
  store,
  tryCommit,
} from "./probe.ts"

/** Checks the erasure of an account's data, and the notification of changes. */
export const upkeep = (check: StoreCheck): void => {
  check.group("erasing an account's data", () => {
    check("leaves the account, its API keys and everybody else's", () =>
      Effect.gen(function* () {
        const port = yield* Store
        yield* household(1)
        yield* household(2)
        yield* port.eraseAccountData(id("acct", 1))
        for (const [kind, recordId] of data(1)) {
          expect(yield* hasVersion(kind, recordId, 1), kind).toBe(false)
        }
        for (const [kind, recordId] of data(2)) {
          expect(yield* hasVersion(kind, recordId, 1), kind).toBe(true)
        }
        expect(yield* port.find("account", id("acct", 1))).toStrictEqual(anAccount())
        expect(yield* port.findCredential(anApiKey().hash)).toBeDefined()
        expect(yield* port.findReply(id("acct", 1), "retry-1")).toBeUndefined()
        expect(yield* port.findReply(id("acct", 2), "retry-2")).toBeDefined()
        const list = { limit: 10, now: T0 }
        expect(yield* port.listIntents({ ...list, viewer: id("acct", 1) })).toHaveLength(0)
        expect(yield* port.listIntents({ ...list, viewer: id("acct", 2) })).toHaveLength(1)
      }),
    )

    check("gives back the places that its agents take of their contacts", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const standing = (n: number, ...contacts: ReadonlyArray<string>) =>
          ({
            verification_id: id("kyc", n),
            level: "basic",
            expires_at: null,
            channels: [],
            contacts,
          }) as const
        const place = (contact: string) => ({ counter: contactCounter(contact), add: 2, limit: 9 })
        const own = { account_id: id("acct", 1) }
        yield* commit({
          writes: [
            // A contact that verified two levels of one agent counts as one agent.
            insert(
              "agent",
              anAgent({ ...own, n: 1, verified: [standing(1, "a", "b"), standing(2, "a")] }),
            ),
            insert("agent", anAgent({ ...own, n: 2, verified: [standing(3, "b")] })),
            insert("agent", anAgent({ ...own, n: 3 })),
            insert(
              "agent",
              anAgent({ n: 4, account_id: id("acct", 2), verified: [standing(4, "a")] }),
            ),
          ],
        })
        yield* port.commit({ writes: [], reservations: ["a", "b", "c"].map(place) })
        yield* port.eraseAccountData(id("acct", 1))
        const left = ["a", "b", "c"].map((contact) => counterValue(contactCounter(contact)))
        expect(yield* Effect.all(left)).toStrictEqual([1, 0, 2])
      }),
    )

    check("gives back the keys that its records own, and those alone", () =>
      Effect.gen(function* () {
        const port = yield* Store
        yield* household(1)
        yield* household(2)
        yield* port.eraseAccountData(id("acct", 1))
        expect(yield* keyHolder("trade 1")).toBeUndefined()
        expect(yield* keyHolder("name 1")).toBeUndefined()
        expect(yield* keyHolder("agent 1")).toBe(id("acct", 1))
        expect(yield* keyHolder("trade 2")).toBe(id("pi", 2))
        expect(yield* keyHolder("name 2")).toBe(uuid(2))
        expect(yield* counterValue("places 1")).toBe(1)
      }),
    )

    check("gives back the room of what went, and of that alone", () =>
      Effect.gen(function* () {
        const port = yield* Store
        yield* household(1)
        yield* household(2)
        yield* store(
          insert("verification", verificationIn("expired", { n: 3, sealed: null })),
          insert("install", anInstall({ n: 3, agent_id: "agent-3" })),
        )
        yield* commit({
          writes: [],
          reservations: [1, 2].flatMap((n) =>
            HELD.map((held) => ({
              counter: holdingCounter(id("acct", n), held),
              add: 10,
              limit: 10,
            })),
          ),
        })
        yield* port.eraseAccountData(id("acct", 1))
        const left = (n: number) =>
          port.readCounters(HELD.map((held) => holdingCounter(id("acct", n), held)))
        const room = { services: 9, api_keys: 10, installs: 8, verifications: 9 }
        const places = { webhook_endpoints: 10, webhook_keys: 10, listings: 10 }
        expect(yield* left(1)).toStrictEqual(Object.values({ ...room, ...places }))
        expect(yield* left(2)).toStrictEqual(HELD.map(() => 10))
      }),
    )

    check("removes each kind that is the account's own, and no other", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const own = (record: Records[Kind]) =>
          "account_id" in record ? { ...record, account_id: id("acct", 1) } : record
        const each = oneOfEachKind()
        const all = ALL_KINDS.map((kind) => [kind, own(each[kind])] as const)
        yield* store(...all.map(([kind, record]) => insert(kind, record)))
        yield* port.eraseAccountData(id("acct", 1))
        for (const [kind, record] of all) {
          const left = KINDS[kind].erased ? undefined : record
          expect(yield* port.find(kind, record.id), kind).toStrictEqual(left)
        }
      }),
    )

    check("lets the account begin anew", () =>
      Effect.gen(function* () {
        const port = yield* Store
        yield* household(1)
        yield* port.claimDue("event", T0, { limit: 9, lease: 60_000 })
        yield* port.eraseAccountData(id("acct", 1))
        expect(yield* port.nextDueAt()).toBeUndefined()
        yield* store(insert("service", aService()), insert("event", anEvent()))
        expect(
          yield* port.findBy("service", { account_id: id("acct", 1), name_key: "service 1" }),
        ).toStrictEqual(aService())
        const events = yield* port.claimDue("event", T0, { limit: 9, lease: 60_000 })
        expect(events).toStrictEqual([anEvent({ version: 2 })])
      }),
    )

    check("of nothing, or of an account that is not there, does nothing", () =>
      Effect.gen(function* () {
        const port = yield* Store
        yield* port.eraseAccountData(id("acct", 9))
        yield* household(1)
        yield* port.eraseAccountData(id("acct", 9))
        for (const [kind, recordId] of data(1)) {
          expect(yield* hasVersion(kind, recordId, 1), kind).toBe(true)
        }
      }),
    )
  })

  check.group("watching a record", () => {
    check("is told after each commit that touched it, until it stops", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const heard: Array<string> = []
        const stop = port.watch(id("pi", 1), () => heard.push("first"))
        const stopSecond = port.watch(id("pi", 1), () => heard.push("second"))
        port.watch(id("pi", 2), () => heard.push("other"))
        yield* store(insert("payment_intent", anIntent()))
        expect(heard).toStrictEqual(["first", "second"])
        yield* store(insert("payment_intent", anIntent({ n: 3 })))
        expect(heard).toHaveLength(2)
        stop()
        stop()
        yield* store(replace("payment_intent", anIntent()))
        expect(heard).toStrictEqual(["first", "second", "second"])
        stopSecond()
        yield* store(replace("payment_intent", anIntent({ version: 2 })))
        expect(heard).toHaveLength(3)
      }),
    )

    check("is not told of a commit that was refused", () =>
      Effect.gen(function* () {
        const port = yield* Store
        let heard = 0
        port.watch(id("pi", 1), () => (heard += 1))
        const refused = tryCommit({ writes: [replace("payment_intent", anIntent())] })
        expect(yield* refused).toMatchObject({ type: "stale_version" })
        expect(heard).toBe(0)
      }),
    )

    check("two watches with one listener stop one by one", () =>
      Effect.gen(function* () {
        const port = yield* Store
        let heard = 0
        const listener = () => void (heard += 1)
        const stop = port.watch(id("pi", 1), listener)
        port.watch(id("pi", 1), listener)
        stop()
        yield* store(insert("payment_intent", anIntent()))
        expect(heard).toBe(1)
      }),
    )

    check("a listener that fails harms neither the commit nor the other listeners", () =>
      Effect.gen(function* () {
        const port = yield* Store
        let heard = 0
        port.watch(id("pi", 1), () => {
          throw new Error("A listener that fails.")
        })
        port.watch(id("pi", 1), () => (heard += 1))
        yield* store(insert("payment_intent", anIntent())).pipe(Effect.provide(Logger.layer([])))
        expect(heard).toBe(1)
        expect(yield* port.find("payment_intent", id("pi", 1))).toStrictEqual(anIntent())
      }),
    )
  })
}
