import { Effect } from "effect"
import { expect } from "../expect.ts"
import { Store } from "../../../../core/ports/Store.ts"
import { aChannelRequest, anInstall, id, mandateIn, T0, uuid } from "../records/index.ts"
import { type StoreCheck, commit, insert, replace, store } from "./probe.ts"

const bare = {
  auto_pay_limit: null,
  channel_preference: null,
  channels: [],
  spend_cap: null,
  spend_cap_in_force: null,
  budget_alerts: [],
  mandate: null,
}

const installs = [
  anInstall({ n: 1 }),
  anInstall({ n: 2, ...bare }),
  anInstall({ n: 3, service_id: uuid(2), agent_id: 'of "two", {words}' }),
  anInstall({ n: 4, account_id: id("acct", 2) }),
]

/** Checks installs, charges through them, and their spending. */
export const installReads = (check: StoreCheck): unknown =>
  check.group("installs", () => {
    check("are given back as they were stored, whatever they leave open", () =>
      Effect.gen(function* () {
        const port = yield* Store
        expect(yield* port.find("install", id("ins", 1))).toBeUndefined()
        yield* store(...installs.map((record) => insert("install", record)))
        for (const record of installs) {
          expect(yield* port.find("install", record.id)).toStrictEqual(record)
        }
        expect(yield* port.find("install", id("ins", 99))).toBeUndefined()
        expect(yield* port.find("install", "ins_'; --")).toBeUndefined()
        const changed = { ...anInstall(), ...bare }
        yield* store(replace("install", changed))
        expect(yield* port.find("install", id("ins", 1))).toStrictEqual({ ...changed, version: 2 })
      }),
    )

    check("are listed a page at a time, of an account or of one of its services", () =>
      Effect.gen(function* () {
        const port = yield* Store
        yield* store(...installs.map((record) => insert("install", record)))
        const listed = (by: { account_id?: string; service_id?: string }, page: object = {}) =>
          Effect.map(
            port.list("install", { by: { account_id: id("acct", 1), ...by }, limit: 9, ...page }),
            (found) => found.map((record) => record.id),
          )
        const of = (...numbers: ReadonlyArray<number>) => numbers.map((n) => id("ins", n))
        expect(yield* listed({})).toStrictEqual(of(3, 2, 1))
        expect(yield* listed({}, { limit: 2 })).toStrictEqual(of(3, 2))
        expect(yield* listed({}, { after: id("ins", 2) })).toStrictEqual(of(1))
        expect(yield* listed({ service_id: uuid(1) })).toStrictEqual(of(2, 1))
        expect(yield* listed({ service_id: uuid(1) }, { after: id("ins", 2) })).toStrictEqual(of(1))
        expect(yield* listed({ service_id: "'; --" })).toStrictEqual([])
        expect(yield* listed({ account_id: "'; --" })).toStrictEqual([])
      }),
    )

    check("have mandates, in every state", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const mandates = [
          mandateIn("pending", { n: 1, approval_url: "https://wallet.example/approve?m=1" }),
          mandateIn("active", { n: 2, spend_cap: null }),
          mandateIn("revoked", { n: 3, asks: 4 }),
          { ...mandateIn("active", { n: 4 }), ...mandateIn("revoked", { n: 4, due_at: null }) },
        ]
        yield* store(...mandates.map((record) => insert("mandate", record)))
        for (const record of mandates) {
          expect(yield* port.find("mandate", record.id)).toStrictEqual(record)
        }
        expect(yield* port.find("mandate", "mnd_'; --")).toBeUndefined()
      }),
    )

    check("are debited by requests that name the mandate", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const debit = aChannelRequest({ action: "debit", mandate: id("mnd", 1), due_at: T0 })
        yield* store(insert("channel_request", debit))
        expect(yield* port.find("channel_request", debit.id)).toStrictEqual(debit)
      }),
    )

    check("count what was spent, from 0", () =>
      Effect.gen(function* () {
        const port = yield* Store
        expect(yield* port.readCounters(["spent"])).toStrictEqual([0])
        yield* commit({ writes: [], reservations: [{ counter: "spent", add: 70, limit: 100 }] })
        yield* commit({ writes: [], reservations: [{ counter: "spent", add: -30, limit: 0 }] })
        expect(yield* port.readCounters(["spent"])).toStrictEqual([40])
        expect(yield* port.readCounters(["spent'; --"])).toStrictEqual([0])
      }),
    )
  })
