import { Effect } from "effect"
import { expect } from "../expect.ts"
import { Store } from "../../../../core/ports/Store.ts"
import { anAccessItem, hash, id, revocationFacts, revocationIn, T0 } from "../records/index.ts"
import { type StoreCheck, insert, replace, store, tryCommit } from "./probe.ts"

const [me, other] = [id("acct", 1), id("acct", 2)]

const items = [
  anAccessItem({ n: 2, item_key: hash(2), scopes: ["all", "read:reports"] }),
  anAccessItem({
    n: 1,
    item_key: hash(1),
    type: "signed_url",
    item_id: `https://x.example/${"ü".repeat(500)}?a="b"\\{c}`,
    revoked: [{ scope: "read:summary", revoked_at: T0 + 5 }],
  }),
  anAccessItem({ n: 3, item_key: hash(3), payment_intent: id("pi", 2) }),
]

const denied = anAccessItem({
  n: 4,
  item_key: hash(4),
  payment_intent: null,
  scopes: [],
  revoked: [{ scope: "all", revoked_at: T0 }],
})

const statuses = Object.keys(revocationFacts) as ReadonlyArray<keyof typeof revocationFacts>

/** Checks the records of access that payments bought, and of its revocations. */
export const revocations = (check: StoreCheck): void => {
  check.group("access items and revocations", () => {
    check("finds a seller's own items, and lists those of a payment, oldest first", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const [second, first, third] = items
        yield* store(...[...items, denied].map((item) => insert("access_item", item)))
        const named = (account_id: string, item_key: string) =>
          port.findBy("access_item", { account_id, item_key })
        const bought = (payment_intent: string) =>
          port.list("access_item", { by: { payment_intent }, order: "oldest" })
        for (const item of [...items, denied]) {
          expect(yield* named(me, item.item_key)).toStrictEqual(item)
          expect(yield* named(other, item.item_key)).toBeUndefined()
        }
        expect(yield* bought(id("pi", 1))).toStrictEqual([first, second])
        expect(yield* bought(id("pi", 2))).toStrictEqual([third])
        expect(yield* bought(id("pi", 3))).toStrictEqual([])
        expect(yield* bought("nonsense")).toStrictEqual([])
        expect(yield* named("nonsense", hash(1))).toBeUndefined()
      }),
    )

    check("knows whether another seller has registered a key, not whether it was denied", () =>
      Effect.gen(function* () {
        const port = yield* Store
        yield* store(...[...items, denied].map((item) => insert("access_item", item)))
        expect(yield* port.isOthersAccessItem(other, hash(1))).toBe(true)
        expect(yield* port.isOthersAccessItem(me, hash(1))).toBe(false)
        expect(yield* port.isOthersAccessItem(other, hash(4))).toBe(false)
        expect(yield* port.isOthersAccessItem(other, hash(9))).toBe(false)
        const registered = { ...denied, payment_intent: id("pi", 1), scopes: ["all"] }
        yield* store(replace("access_item", registered))
        expect(yield* port.isOthersAccessItem(other, hash(4))).toBe(true)
      }),
    )

    check("keeps one item of a key for each seller", () =>
      Effect.gen(function* () {
        yield* store(insert("access_item", anAccessItem()))
        const twin = anAccessItem({ n: 2, item_key: hash(1) })
        const refused = yield* tryCommit({ writes: [insert("access_item", twin)] })
        expect(refused?.type).toBe("key_taken")
        yield* store(insert("access_item", { ...twin, account_id: other }))
      }),
    )

    check("gives back revocations in every state, and a refund's in their order", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const batch = { refund: id("ref", 1), batch_size: statuses.length }
        const all = statuses.map((status, position) =>
          revocationIn(status, { n: 9 - position, position, ...batch }),
        )
        const tried = revocationIn("pending", {
          n: 20,
          attempts: 2,
          error: { code: "permission_error", message: 'Not "yours".' },
          due_at: null,
        })
        yield* store(...[...all, tried].map((revocation) => insert("revocation", revocation)))
        for (const revocation of [...all, tried]) {
          expect(yield* port.find("revocation", revocation.id)).toStrictEqual(revocation)
        }
        const listed = (refund: string | ReadonlyArray<string>) =>
          port.list("revocation", { by: { refund } })
        expect(yield* listed(id("ref", 1))).toStrictEqual(all)
        expect(yield* listed(id("ref", 20))).toStrictEqual([tried])
        expect(yield* listed("nonsense")).toStrictEqual([])
        const refunds = [id("ref", 20), "nonsense", id("ref", 99), id("ref", 1)]
        const found = yield* listed(refunds)
        expect(new Set(found)).toStrictEqual(new Set([...all, tried]))
        expect(yield* listed(["nonsense"])).toStrictEqual([])
        expect(yield* port.find("revocation", "nonsense")).toBeUndefined()
      }),
    )

    for (const status of statuses) {
      check(`counts a ${status} revocation of all access as ${String(status !== "failed")}`, () =>
        Effect.gen(function* () {
          const port = yield* Store
          const intent = id("pi", 1)
          const revoked = (payment_intent: string) =>
            Effect.map(
              port.list("revocation", {
                by: { payment_intent, scope: "all", status: ["pending", "revoked", "expired"] },
                limit: 1,
              }),
              (found) => found.length > 0,
            )
          yield* store(insert("revocation", revocationIn(status, { scope: "read:full" })))
          expect(yield* revoked(intent)).toBe(false)
          yield* store(insert("revocation", revocationIn(status, { n: 2, scope: "all" })))
          expect(yield* revoked(intent)).toBe(status !== "failed")
          expect(yield* revoked(id("pi", 2))).toBe(false)
          expect(yield* revoked("nonsense")).toBe(false)
        }),
      )
    }
  })
}
