import { Effect, Layer } from "effect"
import { describe, expect, test } from "vitest"
import * as MemoryStore from "../../adapters/memory/MemoryStore.ts"
import { Channels, type Charge } from "../../core/ports/Channels.ts"
import { Store } from "../../core/ports/Store.ts"
import { Ledger } from "../../simulator/channels/Ledger.ts"
import { Network } from "../../simulator/channels/Network.ts"
import { simulatedChannels } from "../../simulator/channels/simulatedChannels.ts"
import { channelConformance } from "../../simulator/conformance/channels.ts"
import { runChecks } from "../../simulator/conformance/Check.ts"
import { storeConformance } from "../../simulator/conformance/store.ts"
import { FaultLog } from "../../simulator/faults/Fault.ts"
import { NO_FAULTS } from "../../simulator/faults/Faults.ts"
import { makeChance } from "../../simulator/random/Chance.ts"
import { seededIds } from "../../simulator/random/seededIds.ts"
import type { Stage } from "../../simulator/world/Stage.ts"

const { uuid } = seededIds(Date.now, makeChance("conformance"))
const NOW = 1_769_902_800_000

type StoreService = Store["Service"]

const storeProblems = (change: (store: StoreService) => StoreService = (store) => store) => {
  const changed = Layer.effect(Store, Effect.map(Store, change))
  const layer = Layer.provide(changed, MemoryStore.layer)
  const checked = Effect.provide(runChecks(storeConformance(uuid)), Layer.fresh(layer))
  return Effect.runPromise(checked).then((all) =>
    all.filter(({ problem }) => problem !== undefined),
  )
}

describe("the conformance suite of stores", () => {
  test("finds nothing wrong with the memory store", async () => {
    expect(await storeProblems()).toEqual([])
  })

  test("finds a store that replaces whatever the version", async () => {
    const problems = await storeProblems((store) => ({
      ...store,
      commit: (commit) =>
        Effect.catchTag(store.commit(commit), "Conflict", (conflict) =>
          conflict.reason.type === "stale_version" ? Effect.void : Effect.fail(conflict),
        ),
    }))
    expect(problems.map(({ name }) => name)).toContain(
      "a record is replaced by whoever read its latest version",
    )
  })

  test("finds a store that knows no limit, forgets answers, or hands out twice", async () => {
    const limitless = await storeProblems((store) => ({
      ...store,
      commit: ({ reservations: _none, reply: _forgotten, ...commit }) => store.commit(commit),
      claimDue: (kind, now, options) => store.claimDue(kind, now, { ...options, lease: 0 }),
    }))
    expect(limitless.map(({ name }) => name)).toEqual([
      "a counter stops at its limit, whoever adds to it at once",
      "an answer is stored once under its key",
      "a request that is running keeps its key for its holder, however long it runs",
      "what is due is handed out once until its lease is over",
    ])
  })

  test("finds a store that says that nothing is due", async () => {
    const idle = await storeProblems((store) => ({
      ...store,
      dueKinds: () => Effect.succeed(new Set()),
    }))
    expect(idle.map(({ name }) => name)).toEqual(["the kinds of which something is due are named"])
  })
})

const stage: Stage = {
  now: () => NOW,
  chance: makeChance,
  faults: () => NO_FAULTS,
  log: new FaultLog(),
  spawn: () => undefined,
  serve: () => Effect.die("Nobody is served here."),
  visit: () => undefined,
  measure: () => undefined,
  isDown: () => false,
  upset: () => undefined,
  busy: () => 0,
}

const channelProblems = (makeLedger: ConstructorParameters<typeof Network>[1]["makeLedger"]) => {
  const options = { makeLedger, from: NOW, to: NOW, outages: [], observe: () => undefined }
  const network = new Network(stage, options)
  const under = {
    channel: "wallet_a",
    currency: "USD",
    now: () => NOW,
    authorize: ({ channel, out_trade_no }: Charge) =>
      Effect.sync(() => {
        const booked = network.find(channel, out_trade_no)
        if (booked !== undefined) network.pay(booked, { payer_id: "human", wallet_id: "wallet" })
      }),
  }
  const checked = runChecks(channelConformance(under, uuid))
  const provided = Effect.provideService(checked, Channels, simulatedChannels(stage, network))
  return Effect.runPromise(provided).then((all) =>
    all.filter(({ problem }) => problem !== undefined),
  )
}

/** Books in which a request number means nothing: every call is a new one. */
class Forgetful extends Ledger {
  override perform(...[call, ...rest]: Parameters<Ledger["perform"]>) {
    return super.perform({ ...call, number: uuid() }, ...rest)
  }
}

describe("the conformance suite of channels", () => {
  test("finds nothing wrong with the simulated channels", async () => {
    expect(await channelProblems((channel, entered) => new Ledger(channel, entered))).toEqual([])
  })

  test("finds a channel that forgets request numbers", async () => {
    const problems = await channelProblems((channel, entered) => new Forgetful(channel, entered))
    expect(problems.map(({ name }) => name)).toEqual([
      "a capture has one effect, however often its number is sent",
    ])
  })
})
