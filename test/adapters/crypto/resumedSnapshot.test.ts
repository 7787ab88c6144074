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
const MASTER = new Uint8Array(32).fill(7)

/** The salt of the key, and the nonce. */
const headOf = (sealed: string) => Buffer.from(sealed.slice(12), "base64url").subarray(0, 28)

test("processes with the same random bytes share nonces for the same text only", () => {
  const texts = ["one", "two", "one ", ""]
  const places = [PLACE, `${PLACE}:`, ""]
  // Each vault is as in a new process, which has sealed nothing before.
  const sealed = texts.flatMap((text) => places.map((place) => makeVault(MASTER).seal(place, text)))
  const heads = sealed.map((one) => headOf(one).toString("hex"))
  expect(new Set(heads.map((head) => head.slice(0, 32))).size).toBe(1)
  expect(new Set(heads).size).toBe(texts.length * places.length)
})

test("the same text twice in one process is not the same sealed text", async () => {
  const vault = makeVault(MASTER)
  const [first, second] = [vault.seal(PLACE, "one"), vault.seal(PLACE, "one")]
  expect(headOf(first)).not.toStrictEqual(headOf(second))
  expect(await Effect.runPromise(vault.open(PLACE, second))).toBe("one")
})
