import { Effect } from "effect"
import type * as NodeCrypto from "node:crypto"
import { afterAll, expect, test, vi } from "vitest"
import { makeVault } from "../../../adapters/crypto/Vault.ts"

// A machine that is resumed twice from one snapshot draws the same random bytes twice.
vi.mock("node:crypto", async (original) => ({
  ...(await original<typeof NodeCrypto>()),
  randomBytes: (length: number) => Buffer.alloc(length, 5),
}))

afterAll(() => {
  vi.restoreAllMocks()
})

const PLACE = "account:acct_1:webhook_secret"

const saltOf = (sealed: string) => Buffer.from(sealed.slice(12), "base64url").subarray(0, 16)

test("texts that are sealed after the same random bytes share neither key nor nonce", async () => {
  const vault = makeVault(new Uint8Array(32).fill(7))
  const texts = ["one", "two", "one ", ""]
  const places = [PLACE, `${PLACE}:`, ""]
  const sealed = texts.flatMap((text) => places.map((place) => vault.seal(place, text)))
  const salts = sealed.map((one) => saltOf(one).toString("hex"))
  expect(new Set(salts).size).toBe(texts.length * places.length)
  expect(await Effect.runPromise(vault.open(PLACE, vault.seal(PLACE, "one")))).toBe("one")
})
