import { beforeEach, describe, expect, test } from "vitest"
import { AddressLimiter } from "../../../../adapters/shared/addresses/AddressLimiter.ts"

let now = 0
let limiter: AddressLimiter
beforeEach(() => {
  now = 0
  limiter = new AddressLimiter({ perSecond: 10, burst: 20, mostAddresses: 3 }, () => now)
})

const admitted = (address: string, attempts: number): number =>
  Array.from({ length: attempts }, () => limiter.admit(address)).filter((wait) => wait === 0).length

describe("requests without a key", () => {
  test("come in bursts, and then by the second", () => {
    expect(admitted("a", 50)).toBe(20)
    expect(limiter.admit("a")).toBe(1)
    now += 1_000
    expect(admitted("a", 50)).toBe(10)
    now += 3_600_000
    expect(admitted("a", 50)).toBe(20)
  })

  test("of another address have their own limit", () => {
    admitted("a", 50)
    expect(admitted("b", 50)).toBe(20)
  })

  test("are remembered of so many addresses", () => {
    for (const address of ["a", "b", "c", "d", "e"]) limiter.admit(address)
    expect(limiter.addresses).toBe(3)
  })
})

describe("wrong keys", () => {
  test("cost double and are slowed, down to one burst below nothing", () => {
    for (let attempt = 0; attempt < 10; attempt++) limiter.wrongKey("a")
    expect(limiter.waitWithKey("a", "Bearer wrong")).toBe(1)
    for (let attempt = 0; attempt < 100; attempt++) limiter.wrongKey("a")
    expect(limiter.waitWithKey("a", "Bearer wrong")).toBe(3)
    now += 2_200
    expect(limiter.waitWithKey("a", "Bearer wrong")).toBe(0)
  })

  test("do not lock out a key that was right", () => {
    limiter.rightKey("Bearer right")
    for (let attempt = 0; attempt < 100; attempt++) limiter.wrongKey("a")
    expect(limiter.waitWithKey("a", "Bearer right")).toBe(0)
    expect(limiter.waitWithKey("a", "Bearer other")).toBeGreaterThan(0)
  })

  test("leave an address alone that sent none, however many requests without a key it sent", () => {
    expect(limiter.addresses).toBe(0)
    admitted("a", 50)
    expect(limiter.waitWithKey("a", "Bearer any")).toBe(0)
  })

  test("count as requests without a key", () => {
    for (let attempt = 0; attempt < 8; attempt++) limiter.wrongKey("a")
    expect(admitted("a", 50)).toBe(4)
  })
})
