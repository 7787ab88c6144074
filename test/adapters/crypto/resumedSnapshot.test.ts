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

/** The salt of the key, and the nonce. */
const headOf = (sealed: string) => Buffer.from(sealed.slice(12), "base64url").subarray(0, 28)

test("texts that are sealed after the same random bytes do not share a key and a nonce", async () => {
  const vault = makeVault(new Uint8Array(32).fill(7))
  const texts = ["one", "two", "one ", ""]
  const places = [PLACE, `${PLACE}:`, ""]
  const sealed = texts.flatMap((text) => places.map((place) => vault.seal(place, text)))
  const heads = sealed.map((one) => headOf(one).toString("hex"))
  expect(new Set(heads).size).toBe(texts.length * places.length)
  expect(await Effect.runPromise(vault.open(PLACE, vault.seal(PLACE, "one")))).toBe("one")
})
