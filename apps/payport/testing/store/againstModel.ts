import { Effect } from "effect"
import * as fc from "fast-check"
import { expect } from "../expect.ts"
import { type Commit, Store, type Write } from "../../../../core/ports/Store.ts"
import { nameKey } from "../../../../core/shared/Text.ts"
import {
  anAccount,
  anApiKey,
  anEvent,
  anIntent,
  aReply,
  aService,
  hash,
  id,
  intentIn,
  T0,
  uuid,
} from "../records/index.ts"
import { Model } from "./Model.ts"
import { type StoreCheck, counterValue, keyHolder, tryCommit } from "./probe.ts"

const small = fc.integer({ min: 1, max: 2 })
const three = fc.integer({ min: 1, max: 3 })
const moment = fc.integer({ min: 0, max: 9 })

/** One write, described so that it can be adapted to the stored records when its turn comes. */
const write = fc.record({
  kind: fc.constantFrom("account", "api_key", "service", "payment_intent"),
  n: three,
  op: fc.constantFrom("put", "put", "put", "insert", "replace", "remove"),
  stale: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  owner: small,
  name: small,
  status: fc.constantFrom(0, 1, 2),
  at: moment,
})
type SaidWrite = typeof write extends fc.Arbitrary<infer A> ? A : never

const commitCommand = fc.record({
  type: fc.constant("commit" as const),
  writes: fc.uniqueArray(write, {
    maxLength: 3,
    selector: ({ kind, n }) => (kind === "payment_intent" ? n : kind),
  }),
  event: fc.option(fc.record({ n: three, owner: small, at: moment }), { freq: 2 }),
  guard: fc.option(fc.record({ n: three, stale: fc.boolean() }), { freq: 5 }),
  keys: fc.array(
    fc.record({ op: fc.constantFrom("claim", "claim", "release"), key: small, owner: three }),
    { maxLength: 2 },
  ),
  reservations: fc.array(
    fc.record({ counter: small, add: fc.constantFrom(-1, 1, 2), limit: fc.constantFrom(3, 4) }),
    { maxLength: 2 },
  ),
  reply: fc.option(
    fc.record({ n: small, owner: small, holder: small, answered: fc.boolean(), at: moment }),
    { freq: 4 },
  ),
})
type SaidCommit = typeof commitCommand extends fc.Arbitrary<infer A> ? A : never

const claimCommand = fc.record({
  type: fc.constant("claim" as const),
  kind: fc.constantFrom("payment_intent", "service", "event"),
  at: moment,
  limit: three,
  lease: fc.constantFrom(15, 40),
})

const command = fc.oneof(
  { weight: 12, arbitrary: commitCommand },
  { weight: 4, arbitrary: claimCommand },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("purge" as const), at: moment }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("erase" as const), owner: small }) },
)

/** The names and times of one run, distinct from those of every other run on the same store. */
class Run {
  readonly first: number
  readonly model = new Model()

  constructor(number: number) {
    this.first = number * 10
  }

  account = (n: number) => id("acct", this.first + n)

  /** Moments of different records never fall together. */
  time = (at: number, n = 0) => T0 + this.first * 1_000 + at * 10 + n

  key = (n: number) => `${this.first}: key ${n}`

  agent = (n: number) => `${this.first}: agent ${n}`

  counter = (n: number) => `${this.first}: counter ${n}`

  record({ kind, n, owner, name, status, at }: SaidWrite): Write["record"] {
    const number = { n: this.first + n }
    const account_id = this.account(owner)
    if (kind === "account") return anAccount({ ...number, agent_id: this.agent(name) })
    if (kind === "api_key") {
      return anApiKey({ ...number, account_id, hash: hash(this.first + name) })
    }
    if (kind === "service") {
      const words = name === 1 ? "Alpha" : "Beta Alpha"
      const deleted = { deprecated_at: T0, deleted_at: T0, due_at: this.time(at, n) }
      return aService({
        ...number,
        account_id,
        name: `${words} ${this.first}`,
        name_key: nameKey(`${words} ${this.first}`),
        status: (["draft", "active", "deleted"] as const)[status] ?? "draft",
        ...(status === 2 ? deleted : {}),
      })
    }
    const said = {
      ...number,
      account_id,
      payee_account_id: this.account(name),
      expires_at: this.time(at, n),
    }
    return status === 0 ? anIntent(said) : intentIn(status === 1 ? "capturing" : "expired", said)
  }

  write(said: SaidWrite): Write {
    const record = this.record(said)
    const stored = this.model.find(said.kind, record.id)?.version
    const version = (stored ?? 1) + (said.stale ? 1 : 0)
    const put = stored === undefined ? "insert" : "replace"
    const op = said.op === "put" ? put : said.op
    return {
      op,
      kind: said.kind,
      record: { ...record, version: op === "insert" ? 1 : version },
    } as Write
  }

  commit(said: SaidCommit): Commit {
    const given = new Map<number, number>()
    const reservations = said.reservations.map(({ counter, add, limit }) => {
      const value = given.get(counter) ?? this.model.value(this.counter(counter))
      const fitting = value + add < 0 ? 1 : add
      given.set(counter, value + fitting)
      return { counter: this.counter(counter), add: fitting, limit }
    })
    return {
      writes: said.writes.map((one) => this.write(one)),
      events: said.event === null ? [] : [this.event(said.event)],
      guards: said.guard === null ? [] : [this.guard(said.guard)],
      keys: said.keys.map(({ op, key, owner }) => ({
        op,
        key: this.key(key),
        owner: id("pi", this.first + owner),
      })),
      reservations,
      ...(said.reply === null ? {} : { reply: this.reply(said.reply) }),
    }
  }

  event({ n, owner, at }: NonNullable<SaidCommit["event"]>) {
    const account_id = this.account(owner)
    return anEvent({ n: this.first + n, account_id, due_at: this.time(at, n) })
  }

  /** On an account's record, which a commit that changes it does not guard. */
  guard({ n, stale }: NonNullable<SaidCommit["guard"]>) {
    const guarded = id("evt", this.first + n)
    const version = this.model.find("event", guarded)?.version ?? 0
    return { kind: "event" as const, id: guarded, version: version + (stale ? 1 : 0) }
  }

  reply({ n, owner, holder, answered, at }: NonNullable<SaidCommit["reply"]>) {
    return aReply({
      n,
      account_id: this.account(owner),
      holder: uuid(holder),
      answer: answered ? "sealed:answer" : null,
      created_at: this.time(at),
      lease_until: this.time(at) + 20,
      expires_at: this.time(at) + 60,
    })
  }
}

/** Runs the command on the store and on the model, and compares the results. */
const apply = (run: Run, said: typeof command extends fc.Arbitrary<infer A> ? A : never) =>
  Effect.gen(function* () {
    const port = yield* Store
    const { model } = run
    if (said.type === "commit") {
      const commit = run.commit(said)
      const obstacles = model.commit(commit)
      const reason = yield* tryCommit(commit)
      if (reason === undefined) expect([...obstacles]).toStrictEqual([])
      else expect([...obstacles]).toContain(reason.type)
    } else if (said.type === "claim") {
      const { kind, limit, lease } = said
      const claimed = yield* port.claimDue(kind, run.time(said.at, 9), { limit, lease })
      expect(claimed).toStrictEqual(model.claim(kind, run.time(said.at, 9), limit, lease))
    } else if (said.type === "purge") {
      const now = run.time(said.at) + 40
      expect(yield* port.purgeReplies(now, 1_000)).toBe(model.purge(now))
    } else {
      yield* port.eraseAccountData(run.account(said.owner))
      model.erase(run.account(said.owner))
    }
  })

const newest = (a: { readonly id: string }, b: { readonly id: string }) => (a.id < b.id ? 1 : -1)

/** Compares everything that can be read. */
const compare = Effect.fnUntraced(function* ({ first, model, account, agent, key, counter }: Run) {
  const port = yield* Store
  for (const n of [1, 2, 3]) {
    const number = first + n
    expect(yield* port.find("account", account(n))).toStrictEqual(model.find("account", account(n)))
    const intent = model.find("payment_intent", id("pi", number))
    expect(yield* port.find("payment_intent", id("pi", number))).toStrictEqual(intent)
    expect(yield* port.find("service", uuid(number))).toStrictEqual(
      model.find("service", uuid(number)),
    )
    const event = model.find("event", id("evt", number))
    expect(yield* port.find("event", id("evt", number))).toStrictEqual(event)
    const apiKey = model.find("api_key", id("key", number))
    expect(yield* port.find("api_key", id("key", number))).toStrictEqual(apiKey)
  }
  for (const n of [1, 2]) {
    const api_key = model.all("api_key").find((one) => one.hash === hash(first + n))
    const owner = model.all("account").find((one) => one.id === api_key?.account_id)
    const credential = api_key && owner && { api_key, account: owner }
    expect(yield* port.findCredential(hash(first + n))).toStrictEqual(credential)
    const acting = model.all("account").find((one) => one.agent_id === agent(n))
    expect(yield* port.findBy("account", { agent_id: agent(n) })).toStrictEqual(acting)
    expect(yield* keyHolder(key(n))).toBe(model.holder(key(n)))
    expect(yield* counterValue(counter(n))).toBe(model.value(counter(n)))
    const viewer = account(n)
    for (const m of [1, 2]) {
      expect(yield* port.findReply(viewer, `retry-${m}`)).toStrictEqual(
        model.reply(viewer, `retry-${m}`),
      )
    }
    const listed = model
      .all("payment_intent")
      .filter((one) => one.account_id === viewer || one.payee_account_id === viewer)
    expect(yield* port.listIntents({ viewer, limit: 9, now: T0 })).toStrictEqual(
      listed.toSorted(newest),
    )
    const keys = model.all("api_key").filter((one) => one.account_id === viewer)
    expect(yield* port.list("api_key", { by: { account_id: viewer }, limit: 9 })).toStrictEqual(
      keys.toSorted(newest),
    )
    for (const status of ["draft", "active", "deleted"] as const) {
      const visible = model
        .all("service")
        .filter(
          (one) => one.status === status && (status === "active" || one.account_id === viewer),
        )
      const data = visible.toSorted(newest)
      expect(
        yield* port.searchServices({ q: "al", status, viewer, limit: 9, offset: 0 }),
      ).toStrictEqual({ data, total: data.length })
    }
  }
  expect(yield* port.nextDueAt()).toBe(model.nextDueAt())
})

/** Compares random commits, claims and erasures with the model. */
export const againstModel = (check: StoreCheck): unknown =>
  check.group("a model", () => {
    check("agrees with the store after whatever happens", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const context = yield* Effect.context<Store>()
        let runs = 0
        const property = fc.asyncProperty(
          fc.array(command, { minLength: 1, maxLength: 20 }),
          (commands) => {
            const run = new Run((runs += 1))
            const ended = Effect.forEach([1, 2], (n) => port.eraseAccountData(run.account(n)))
            const play = Effect.forEach(commands, (one) => apply(run, one)).pipe(
              Effect.andThen(compare(run)),
              Effect.ensuring(Effect.orDie(ended)),
              Effect.asVoid,
            )
            return Effect.runPromiseWith(context)(play)
          },
        )
        yield* Effect.promise(() => fc.assert(property, { numRuns: 60 }))
      }),
    )
  })
