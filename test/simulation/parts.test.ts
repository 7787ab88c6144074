import { Effect, Exit } from "effect"
import { describe, expect, test } from "vitest"
import { isUuid } from "../../core/shared/Id.ts"
import type { Entry } from "../../simulator/channels/Entry.ts"
import { Ledger } from "../../simulator/channels/Ledger.ts"
import { simulatedVault } from "../../simulator/ports/simulatedVault.ts"
import { makeChance } from "../../simulator/random/Chance.ts"
import { seededIds } from "../../simulator/random/seededIds.ts"

describe("chance", () => {
  test("a seed decides it, and another seed decides otherwise", () => {
    const draw = (seed: string) => Array.from({ length: 20 }, makeChance(seed).next)
    expect(draw("1 wallets")).toEqual(draw("1 wallets"))
    expect(draw("1 wallets")).not.toEqual(draw("2 wallets"))
    expect(draw("1 wallets")).not.toEqual(draw("1 callbacks"))
  })

  test("numbers keep to their limits and reach both ends", () => {
    const chance = makeChance("limits")
    const drawn = new Set(Array.from({ length: 500 }, () => chance.int(-1, 1)))
    expect([...drawn].toSorted((a, b) => a - b)).toEqual([-1, 0, 1])
  })

  test("weights decide how often something is chosen", () => {
    const chance = makeChance("weights")
    const draw = () =>
      chance.weighted([
        [9, "often"],
        [1, "rarely"],
      ])
    const drawn = Array.from({ length: 1_000 }, draw)
    const rare = drawn.filter((item) => item === "rarely").length
    expect(rare).toBeGreaterThan(50)
    expect(rare).toBeLessThan(200)
  })
})

describe("seeded identifiers", () => {
  test("are UUIDs that grow, also within one millisecond and past its counter", () => {
    const ids = seededIds(() => 1_769_902_800_000, makeChance("ids"))
    const made = Array.from({ length: 10_000 }, ids.uuid)
    expect(made.every(isUuid)).toBe(true)
    expect(made.toSorted()).toEqual(made)
    expect(new Set(made).size).toBe(made.length)
  })
})

describe("the simulated vault", () => {
  const vault = simulatedVault("master", makeChance("vault"))
  const open = (place: string, sealed: string) => Effect.runSyncExit(vault.open(place, sealed))

  test("opens what it sealed, where it was sealed", () => {
    const sealed = vault.seal("here", "a secret")
    expect(open("here", sealed)).toEqual(Exit.succeed("a secret"))
    expect(Exit.isFailure(open("there", sealed))).toBe(true)
    expect(Exit.isFailure(open("here", `${sealed}!`))).toBe(true)
    const other = simulatedVault("another master", makeChance("vault"))
    expect(Exit.isFailure(Effect.runSyncExit(other.open("here", sealed)))).toBe(true)
  })

  test("makes tokens of 43 base64url characters, and the hashes of the standard", () => {
    expect(vault.token()).toMatch(/^[\w-]{43}$/)
    expect(vault.sha256("abc")).toBe(
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    )
  })
})

describe("a channel's books", () => {
  const opened = () => {
    const entries: Array<Entry> = []
    const ledger = new Ledger("wallet_a", (entry) => entries.push(entry))
    const charge = ledger.open(
      {
        channel: "wallet_a",
        out_trade_no: "pi_1",
        charge_id: "qr_1",
        amount: { currency: "USD", value: 500 },
        description: "One",
        expires_at: 1_000,
      },
      "qr",
      0,
    )
    const amount = { currency: "USD", value: 500 }
    const named = { out_trade_no: "pi_1", charge_id: "qr_1", trade_no: null, amount }
    const ask = (number: string, action: "capture" | "release" | "close" | "refund") =>
      ledger.perform({ ...named, number, action }, 1, "willing")
    return { ledger, charge, ask, types: () => entries.map(({ type }) => type) }
  }

  test("a request number has one effect and one answer", () => {
    const { ledger, charge, ask, types } = opened()
    ledger.pay(charge, { payer_id: "h", wallet_id: "w" }, 0)
    const first = ask("1", "capture")
    expect(ask("1", "capture")).toBe(first)
    expect(first).toMatchObject({ type: "done" })
    expect(ask("2", "capture")).toMatchObject({ type: "refused" })
    expect(types()).toEqual(["charge", "hold", "capture"])
  })

  test("what is held can be released and not closed, what is captured only refunded, once", () => {
    const held = opened()
    held.ledger.pay(held.charge, { payer_id: "h", wallet_id: "w" }, 0)
    expect(held.ask("1", "close")).toMatchObject({ type: "refused" })
    expect(held.ask("2", "release")).toMatchObject({ type: "done" })
    expect(held.ask("3", "capture")).toMatchObject({ type: "refused" })
    const taken = opened()
    taken.ledger.pay(taken.charge, { payer_id: "h", wallet_id: "w" }, 0)
    taken.ask("1", "capture")
    expect(taken.ask("2", "release")).toMatchObject({ type: "refused" })
    expect(taken.ask("3", "refund")).toMatchObject({ type: "done" })
    expect(taken.ask("4", "refund")).toMatchObject({ type: "refused" })
  })

  test("a number that was never heard of is not known, and a foreign trade is refused", () => {
    const { ledger } = opened()
    expect(ledger.known("1")).toBeUndefined()
    const amount = { currency: "USD", value: 500 }
    const call = {
      number: "1",
      out_trade_no: "pi_1",
      charge_id: "qr_1",
      trade_no: "another",
      amount,
    }
    const outcome = ledger.perform({ ...call, action: "release" }, 1, "willing")
    expect(outcome).toMatchObject({ type: "refused" })
  })
})
