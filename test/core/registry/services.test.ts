import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import type { Caller } from "../../../core/accounts/Account.ts"
import { listLog } from "../../../core/accountLog/listLog.ts"
import { Store } from "../../../core/ports/Store.ts"
import { getService } from "../../../core/registry/getService.ts"
import { ManifestInput, manifestInputRules } from "../../../core/registry/ManifestInput.ts"
import { moveService } from "../../../core/registry/moveService.ts"
import { purgeService } from "../../../core/retention/purgeService.ts"
import { registerService } from "../../../core/registry/registerService.ts"
import { searchServices } from "../../../core/registry/searchServices.ts"
import { ServiceQuery } from "../../../core/registry/ServiceQuery.ts"
import { decode } from "../../../core/shared/Decode.ts"
import { DAY } from "../../../core/shared/Timestamp.ts"
import { core, open } from "../../support/core.ts"
import { aManifest } from "../../support/manifests.ts"
import { T0, uuid } from "../../support/records.ts"
import { codeOf } from "../../support/world.ts"

const parse = decode(ManifestInput, manifestInputRules)
const parseQuery = decode(ServiceQuery)

const post = (caller: Caller, fields: object = {}) =>
  Effect.flatMap(Effect.fromResult(parse(aManifest(fields))), (input) =>
    registerService(caller, input),
  )

const activate = Effect.fnUntraced(function* (caller: Caller, fields: object = {}) {
  const { id } = yield* post(caller, fields)
  return yield* moveService(caller, id, "activate")
})

const search = (caller: Caller, query: object = {}) =>
  searchServices(caller, Result.getOrThrow(parseQuery(query)))

describe("registering a service", () => {
  it.effect("is for sellers", () =>
    Effect.gen(function* () {
      const buyer = yield* open("buyer", "buyer")
      assert.strictEqual(yield* codeOf(post(buyer)), "FORBIDDEN")
    }).pipe(Effect.provide(core())),
  )

  it.effect("of a wrong manifest stores nothing", () =>
    Effect.gen(function* () {
      const seller = yield* open("oracle")
      const unsupported = post(seller, { accepted_channels: ["x"] })
      assert.strictEqual(yield* codeOf(unsupported), "UNSUPPORTED_CHANNEL")
      assert.strictEqual(yield* codeOf(post(seller, { endpoint: "https://[::1]/" })), "INVALID_URL")
      assert.strictEqual((yield* search(seller, { status: "draft" })).pagination.total, 0)
    }).pipe(Effect.provide(core())),
  )

  it.effect("answers with the draft", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      const seller = yield* open("oracle")
      const { id, ...view } = yield* post(seller, { default_channel: "wallet_b" })
      assert.match(id, /^[0-9a-f-]{36}$/)
      assert.deepStrictEqual<object>(view, {
        ...aManifest(),
        status: "draft",
        default_channel: "wallet_b",
        fallback_channel: null,
        revocation_policy: null,
        created_at: "2026-01-01T00:00:00.000Z",
        updated_at: "2026-01-01T00:00:00.000Z",
      })
    }).pipe(Effect.provide(core())),
  )

  it.effect("again with the same fields changes nothing", () =>
    Effect.gen(function* () {
      const seller = yield* open("oracle")
      const first = yield* activate(seller)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(yield* post(seller), first)
      const shown = { ...first, id: uuid(9), status: "draft" }
      assert.deepStrictEqual(yield* post(seller, shown), first)
    }).pipe(Effect.provide(core())),
  )

  it.effect("again with other fields updates it in its state", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      const seller = yield* open("oracle")
      const first = yield* activate(seller)
      yield* TestClock.adjust("1 hour")
      const second = yield* post(seller, { description: "Answers better.", tags: [] })
      assert.deepStrictEqual(second, {
        ...first,
        description: "Answers better.",
        tags: [],
        updated_at: "2026-01-01T01:00:00.000Z",
      })
      assert.deepStrictEqual(yield* getService(seller, first.id), second)
    }).pipe(Effect.provide(core())),
  )

  it.effect("leaves an entry of the account's log if its events go elsewhere", () =>
    Effect.gen(function* () {
      const seller = yield* open("oracle")
      const { id } = yield* post(seller, { endpoint: "https://one.example/hooks" })
      yield* post(seller, { endpoint: "https://one.example/hooks", tags: ["other"] })
      const endpoint = "https://two.example/hooks"
      yield* post(seller, { endpoint })
      const revoke_url = "https://three.example/revoke"
      yield* post(seller, { endpoint, revocation_policy: { revoke_url } })
      yield* post(seller, { endpoint, revocation_policy: { revoke_url, strict: true } })
      yield* post(seller, { endpoint, revocation_policy: null })
      const { data } = yield* listLog(seller.account.id, { limit: 10 })
      assert.deepStrictEqual(
        data.map(({ action, details, target }) => ({ action, details, target })),
        [
          {
            action: "service.endpoint_changed",
            details: { from: revoke_url, revoke_url: null },
            target: id,
          },
          {
            action: "service.endpoint_changed",
            details: { from: null, revoke_url },
            target: id,
          },
          {
            action: "service.endpoint_changed",
            details: { from: "https://one.example/hooks", endpoint: "https://two.example/hooks" },
            target: id,
          },
        ],
      )
    }).pipe(Effect.provide(core())),
  )

  it.effect("finds the record by a name in other letters, and shows the new ones", () =>
    Effect.gen(function* () {
      const seller = yield* open("oracle")
      const first = yield* post(seller, { name: "Café Oracle" })
      const second = yield* post(seller, { name: "  CAFE\u0301 oracle " })
      assert.strictEqual(second.id, first.id)
      assert.strictEqual(second.name, "CAFÉ oracle")
    }).pipe(Effect.provide(core())),
  )

  it.effect("twenty times at once makes one service", () =>
    Effect.gen(function* () {
      const seller = yield* open("oracle")
      const race = Array.from({ length: 20 }, () => post(seller))
      const views = yield* Effect.all(race, { concurrency: "unbounded" })
      assert.strictEqual(new Set(views.map(({ id }) => id)).size, 1)
      assert.strictEqual((yield* search(seller, { status: "draft" })).pagination.total, 1)
    }).pipe(Effect.provide(core())),
  )

  it.effect("of the same name is free to others until it is active", () =>
    Effect.gen(function* () {
      const one = yield* open("oracle")
      const two = yield* open("pythia")
      const mine = yield* post(one)
      const theirs = yield* post(two, { name: "ASK THE ORACLE" })
      assert.notStrictEqual(mine.id, theirs.id)
      yield* moveService(one, mine.id, "activate")
      assert.strictEqual(yield* codeOf(post(two, { tags: [] })), "DUPLICATE_NAME")
      assert.strictEqual(yield* codeOf(moveService(two, theirs.id, "activate")), "DUPLICATE_NAME")
      assert.propertyVal(yield* post(one, { tags: [] }), "status", "active")
      yield* moveService(one, mine.id, "pause")
      assert.propertyVal(yield* moveService(two, theirs.id, "activate"), "status", "active")
      assert.strictEqual(yield* codeOf(moveService(one, mine.id, "resume")), "DUPLICATE_NAME")
      yield* moveService(two, theirs.id, "deprecate")
      assert.propertyVal(yield* moveService(one, mine.id, "resume"), "status", "active")
    }).pipe(Effect.provide(core())),
  )
})

describe("a service that was deprecated", () => {
  it.effect("is changed by a re-post and stays deprecated, and says what to do instead", () =>
    Effect.gen(function* () {
      const seller = yield* open("oracle")
      const { id } = yield* post(seller)
      yield* moveService(seller, id, "activate")
      yield* moveService(seller, id, "deprecate")
      assert.deepInclude(yield* post(seller, { tags: ["new"] }), { id, status: "deprecated" })
      const refused = yield* Effect.flip(moveService(seller, id, "activate"))
      assert.match(refused.message, /That is final: to sell again, register a service under ano/)
    }).pipe(Effect.provide(core())),
  )
})

describe("names that look alike", () => {
  it.effect("are not active at once, whatever scripts and widths they are written in", () =>
    Effect.gen(function* () {
      const [one, two] = [yield* open("oracle"), yield* open("pythia")]
      const mine = yield* post(one, { name: "Paper summaries" })
      yield* moveService(one, mine.id, "activate")
      for (const name of ["P\u0430per summaries", "Ｐａｐｅｒ summaries", "Paper summaries ."]) {
        const theirs = yield* post(two, { name })
        const code = yield* codeOf(moveService(two, theirs.id, "activate"))
        assert.strictEqual(code, "DUPLICATE_NAME")
      }
      const other = yield* post(two, { name: "Paper summary" })
      assert.propertyVal(yield* moveService(two, other.id, "activate"), "status", "active")
      yield* moveService(one, mine.id, "pause")
      const free = yield* post(two, { name: "P\u0430per summaries" })
      assert.propertyVal(yield* moveService(two, free.id, "activate"), "status", "active")
      assert.strictEqual(yield* codeOf(moveService(one, mine.id, "resume")), "DUPLICATE_NAME")
    }).pipe(Effect.provide(core())),
  )

  it.effect("do not become alike by a change of letters alone", () =>
    Effect.gen(function* () {
      const [one, two] = [yield* open("oracle"), yield* open("pythia")]
      yield* activate(one, { name: "paypal" })
      const theirs = yield* activate(two, { name: "paypai" })
      assert.strictEqual(yield* codeOf(post(two, { name: "paypaI" })), "DUPLICATE_NAME")
      assert.propertyVal(yield* getService(two, theirs.id), "name", "paypai")
      assert.propertyVal(yield* post(two, { name: "PAYPAI" }), "name", "PAYPAI")
      const again = yield* activate(one, { name: "paypa1 pro" })
      assert.propertyVal(yield* post(one, { name: "PAYPA1 pro" }), "id", again.id)
    }).pipe(Effect.provide(core())),
  )
})

describe("moving a service", () => {
  it.effect("is for its owner; to others it reads as absent", () =>
    Effect.gen(function* () {
      const seller = yield* open("oracle")
      const other = yield* open("pythia")
      const { id } = yield* activate(seller)
      for (const action of ["activate", "pause", "deprecate", "delete"] as const) {
        assert.strictEqual(yield* codeOf(moveService(other, id, action)), "NOT_FOUND")
      }
      for (const wrong of [uuid(7), "x", "", `${id} `, id.toUpperCase()]) {
        assert.strictEqual(yield* codeOf(moveService(seller, wrong, "pause")), "NOT_FOUND")
      }
      assert.propertyVal(yield* getService(seller, id), "status", "active")
    }).pipe(Effect.provide(core())),
  )

  it.effect("by an illegal move is refused and changes nothing", () =>
    Effect.gen(function* () {
      const seller = yield* open("oracle")
      const { id } = yield* post(seller)
      for (const action of ["pause", "resume", "deprecate", "delete"] as const) {
        assert.strictEqual(yield* codeOf(moveService(seller, id, action)), "INVALID_TRANSITION")
      }
      assert.propertyVal(yield* getService(seller, id), "status", "draft")
    }).pipe(Effect.provide(core())),
  )

  it.effect("to active gives the name to one of twelve racers", () =>
    Effect.gen(function* () {
      const names = Array.from({ length: 12 }, (_, i) => `seller-${i}`)
      const sellers = yield* Effect.forEach(names, (name) => open(name))
      const drafts = yield* Effect.forEach(sellers, (seller) =>
        Effect.map(post(seller), ({ id }) => ({ seller, id })),
      )
      const codes = yield* Effect.forEach(
        drafts,
        ({ seller, id }) => codeOf(moveService(seller, id, "activate")),
        { concurrency: "unbounded" },
      )
      assert.deepStrictEqual(codes.toSorted(), [...Array(11).fill("DUPLICATE_NAME"), "succeeded"])
      assert.strictEqual((yield* search(sellers[0]!)).pagination.total, 1)
    }).pipe(Effect.provide(core())),
  )

  it.effect("twice at once moves it once", () =>
    Effect.gen(function* () {
      const seller = yield* open("oracle")
      const { id } = yield* activate(seller)
      const codes = yield* Effect.all(
        [
          codeOf(moveService(seller, id, "pause")),
          codeOf(moveService(seller, id, "pause")),
          codeOf(moveService(seller, id, "pause")),
        ],
        { concurrency: "unbounded" },
      )
      assert.deepStrictEqual(codes.toSorted(), [
        "INVALID_TRANSITION",
        "INVALID_TRANSITION",
        "succeeded",
      ])
    }).pipe(Effect.provide(core())),
  )
})

describe("deleting a service", () => {
  const deleted = Effect.gen(function* () {
    yield* TestClock.setTime(T0)
    const seller = yield* open("oracle")
    const { id } = yield* activate(seller)
    yield* moveService(seller, id, "deprecate")
    yield* TestClock.adjust("30 days")
    yield* moveService(seller, id, "delete")
    return { seller, id }
  })

  it.effect("waits for the grace period", () =>
    Effect.gen(function* () {
      const seller = yield* open("oracle")
      const { id } = yield* activate(seller)
      yield* moveService(seller, id, "deprecate")
      yield* TestClock.adjust("29 days")
      assert.strictEqual(yield* codeOf(moveService(seller, id, "delete")), "INVALID_TRANSITION")
    }).pipe(Effect.provide(core())),
  )

  it.effect("again returns it as it is, and lets nobody else delete it", () =>
    Effect.gen(function* () {
      const { seller, id } = yield* deleted
      const shown = yield* getService(seller, id)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(yield* moveService(seller, id, "delete"), shown)
      const other = yield* open("pythia")
      assert.strictEqual(yield* codeOf(moveService(other, id, "delete")), "NOT_FOUND")
      assert.strictEqual(yield* codeOf(moveService(seller, id, "pause")), "INVALID_TRANSITION")
    }).pipe(Effect.provide(core())),
  )

  it.effect("frees its name for a new service of the account", () =>
    Effect.gen(function* () {
      const { seller, id } = yield* deleted
      const next = yield* post(seller)
      assert.notStrictEqual(next.id, id)
      assert.strictEqual(next.status, "draft")
      assert.propertyVal(yield* getService(seller, id), "status", "deleted")
    }).pipe(Effect.provide(core())),
  )

  it.effect("is followed by its purge thirty days later", () =>
    Effect.gen(function* () {
      const { seller, id } = yield* deleted
      const store = yield* Store
      const lease = { limit: 10, lease: 1_000 }
      // A worker closes its tabs at once.
      yield* Effect.forEach(yield* store.claimDue("service", T0 + 30 * DAY, lease), purgeService)
      assert.deepStrictEqual(yield* store.claimDue("service", T0 + 60 * DAY - 1, lease), [])

      const early = yield* store.claimDue("service", T0 + 60 * DAY, lease)
      yield* Effect.forEach(early, purgeService)
      assert.propertyVal(yield* getService(seller, id), "status", "deleted")

      yield* TestClock.setTime(T0 + 60 * DAY)
      const stale = yield* Effect.fromNullishOr(yield* store.find("service", id))
      const due = yield* store.claimDue("service", T0 + 60 * DAY + 2_000, lease)
      yield* purgeService({ ...stale, version: stale.version - 1 })
      assert.propertyVal(yield* getService(seller, id), "status", "deleted")
      yield* Effect.forEach(due, purgeService)
      assert.strictEqual(yield* codeOf(getService(seller, id)), "NOT_FOUND")
      assert.deepStrictEqual(yield* store.claimDue("service", T0 + 400 * DAY, lease), [])
    }).pipe(Effect.provide(core())),
  )

  it.effect("is not what a purge of a living one does", () =>
    Effect.gen(function* () {
      const seller = yield* open("oracle")
      const { id } = yield* activate(seller)
      const store = yield* Store
      yield* purgeService(yield* Effect.fromNullishOr(yield* store.find("service", id)))
      assert.propertyVal(yield* getService(seller, id), "status", "active")
    }).pipe(Effect.provide(core())),
  )
})

describe("reading a service", () => {
  it.effect("shows others what is active or deprecated, without its endpoint", () =>
    Effect.gen(function* () {
      const seller = yield* open("oracle")
      const buyer = yield* open("buyer", "buyer")
      const revoke_url = "https://seller.example/revoke"
      const { id } = yield* post(seller, { revocation_policy: { strict: true, revoke_url } })
      assert.strictEqual(yield* codeOf(getService(buyer, id)), "NOT_FOUND")

      yield* moveService(seller, id, "activate")
      const active = yield* getService(buyer, id)
      assert.notProperty(active, "endpoint")
      assert.deepStrictEqual(active.revocation_policy, { strict: true })
      assert.notProperty(active, "stale")
      assert.property(yield* getService(seller, id), "endpoint")
      const { revocation_policy: own } = yield* getService(seller, id)
      assert.strictEqual(own?.revoke_url, revoke_url)

      yield* moveService(seller, id, "pause")
      assert.strictEqual(yield* codeOf(getService(buyer, id)), "NOT_FOUND")

      yield* moveService(seller, id, "deprecate")
      assert.propertyVal(yield* getService(buyer, id), "stale", true)

      yield* TestClock.adjust("30 days")
      yield* moveService(seller, id, "delete")
      assert.strictEqual(yield* codeOf(getService(buyer, id)), "NOT_FOUND")
    }).pipe(Effect.provide(core())),
  )

  it.effect.each(["", "x", uuid(7), "../../etc/passwd", `{${uuid(7)}}`])(
    "with the id %j finds none",
    (id) =>
      Effect.gen(function* () {
        const seller = yield* open("oracle")
        assert.strictEqual(yield* codeOf(getService(seller, id)), "NOT_FOUND")
      }).pipe(Effect.provide(core())),
  )
})

describe("searching services", () => {
  it.effect("by a channel that does not exist is refused", () =>
    Effect.gen(function* () {
      const seller = yield* open("oracle")
      assert.strictEqual(yield* codeOf(search(seller, { channel: "wallet_z" })), "INVALID_QUERY")
    }).pipe(Effect.provide(core())),
  )

  it.effect("shows summaries of what is active, newest first, and counts them all", () =>
    Effect.gen(function* () {
      const seller = yield* open("oracle")
      const buyer = yield* open("buyer", "buyer")
      const ids: Array<string> = []
      for (const name of ["One", "Two", "Three"]) {
        yield* TestClock.adjust("1 second")
        ids.push((yield* activate(seller, { name })).id)
      }
      yield* post(seller, { name: "Four" })

      const page = yield* search(buyer, { limit: "2" })
      assert.deepStrictEqual(
        page.data.map(({ id }) => id),
        [ids[2], ids[1]],
      )
      assert.deepStrictEqual(page.pagination, { total: 3, limit: 2, offset: 0 })
      assert.deepStrictEqual(Object.keys(page.data[0]!), [
        "id",
        "name",
        "description",
        "status",
        "payment_methods",
        "pricing",
        "accepted_channels",
        "tags",
      ])

      const past = yield* search(buyer, { offset: "999999999999999" })
      assert.deepStrictEqual(past, {
        data: [],
        pagination: { total: 3, limit: 20, offset: 999_999_999_999_999 },
      })
    }).pipe(Effect.provide(core())),
  )

  it.effect("name the currency of use, since they do not show the settlement currency", () =>
    Effect.gen(function* () {
      const seller = yield* open("oracle")
      const use = { unit: "request", rate: "0.25", billing_cycle: "monthly" } as const
      const sold = { payment_methods: { cumulative: true }, settlement_currency: "EUR" }
      yield* activate(seller, { ...sold, name: "One", pricing: { cumulative: use } })
      const other = { cumulative: { ...use, currency: "USD" } }
      yield* activate(seller, { ...sold, name: "Two", pricing: other })
      const { data } = yield* search(yield* open("buyer", "buyer"))
      assert.deepStrictEqual(Object.fromEntries(data.map(({ name, pricing }) => [name, pricing])), {
        One: { cumulative: { ...use, currency: "EUR" } },
        Two: other,
      })
    }).pipe(Effect.provide(core())),
  )

  it.effect("of one's own leaves out what others offer", () =>
    Effect.gen(function* () {
      const [seller, other] = [yield* open("oracle"), yield* open("other")]
      const { id } = yield* activate(seller, { name: "One" })
      yield* activate(other, { name: "Two" })
      const own = yield* search(seller, { own: "true" })
      assert.deepStrictEqual([own.data.map((one) => one.id), own.pagination.total], [[id], 1])
      const all = yield* search(seller, { own: "false" })
      assert.strictEqual(all.pagination.total, 2)
      const ofAgent = { ...seller, restrictions: { agents: ["oracle"] } }
      assert.strictEqual((yield* search(ofAgent, { own: "true" })).pagination.total, 0)
    }).pipe(Effect.provide(core())),
  )

  it.effect("shows drafts, paused and deleted ones to their owner only", () =>
    Effect.gen(function* () {
      const seller = yield* open("oracle")
      const other = yield* open("pythia")
      const { id } = yield* post(seller)
      const seen = Effect.fnUntraced(function* (status: string) {
        const mine = yield* search(seller, { status })
        const theirs = yield* search(other, { status })
        return [mine.pagination.total, theirs.pagination.total]
      })
      assert.deepStrictEqual(yield* seen("draft"), [1, 0])
      yield* moveService(seller, id, "activate")
      assert.deepStrictEqual(yield* seen("active"), [1, 1])
      yield* moveService(seller, id, "pause")
      assert.deepStrictEqual(yield* seen("paused"), [1, 0])
      yield* moveService(seller, id, "deprecate")
      assert.deepStrictEqual(yield* seen("deprecated"), [1, 1])
      assert.propertyVal((yield* search(other, { status: "deprecated" })).data[0], "stale", true)
      yield* TestClock.adjust("30 days")
      yield* moveService(seller, id, "delete")
      assert.deepStrictEqual(yield* seen("deleted"), [1, 0])
    }).pipe(Effect.provide(core())),
  )

  it.effect("filters by words, channel and payment method", () =>
    Effect.gen(function* () {
      const seller = yield* open("oracle")
      yield* activate(seller, { name: "Weather", accepted_channels: ["wallet_a"] })
      yield* activate(seller, { name: "Stocks", accepted_channels: ["wallet_f"], tags: ["money"] })
      const names = (query: object) =>
        Effect.map(search(seller, query), ({ data }) => data.map(({ name }) => name))
      assert.deepStrictEqual(yield* names({ q: "weath" }), ["Weather"])
      assert.deepStrictEqual(yield* names({ q: "MONEY" }), ["Stocks"])
      assert.deepStrictEqual(yield* names({ q: "nothing" }), [])
      assert.deepStrictEqual(yield* names({ channel: "wallet_f" }), ["Stocks"])
      assert.lengthOf(yield* names({ payment_method: "one_time" }), 2)
      assert.lengthOf(yield* names({ payment_method: "subscription" }), 0)
    }).pipe(Effect.provide(core())),
  )

  it.effect.each(["'; drop table services; --", "& | ! ( )", "a:*", "\u0000", "%_", "\\", '"'])(
    "for %j raises no error",
    (q) =>
      Effect.gen(function* () {
        const seller = yield* open("oracle")
        assert.strictEqual(yield* codeOf(search(seller, { q })), "succeeded")
      }).pipe(Effect.provide(core())),
  )
})
