import sodium, { ready } from "libsodium-wrappers"
import { describe, expect, test } from "vitest"
import { box } from "../../../adapters/crypto/box.ts"

await ready

const pair = sodium.crypto_box_keypair()
const key = Buffer.from(pair.publicKey).toString("base64")
const TEXT = '{"note":"größer 🙂"}'

/** Opens a box with libsodium: 32 bytes ephemeral key, 24 bytes nonce, then the rest. */
const opened = (text: string, secret = pair.privateKey): string => {
  const bytes = Buffer.from(text, "base64")
  const [from, nonce, rest] = [bytes.subarray(0, 32), bytes.subarray(32, 56), bytes.subarray(56)]
  return Buffer.from(sodium.crypto_box_open_easy(rest, nonce, from, secret)).toString("utf8")
}

describe("a box", () => {
  test.each(["", "x", TEXT, "y".repeat(70_000)])("opens with libsodium, byte for byte", (text) => {
    expect(opened(box(key, text))).toBe(text)
  })

  test("does not open with another key, or changed", () => {
    const other = sodium.crypto_box_keypair().privateKey
    expect(() => opened(box(key, TEXT), other)).toThrow()
    const bytes = Buffer.from(box(key, TEXT), "base64")
    for (const at of [0, 40, 56, bytes.length - 1]) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => opened(changed.toString("base64"))).toThrow()
    }
  })

  test("has a key and a nonce of its own each time", () => {
    const heads = [1, 2, 3].map(() => Buffer.from(box(key, TEXT), "base64").subarray(0, 56))
    expect(new Set(heads.map((head) => head.toString("hex"))).size).toBe(3)
    expect(new Set(heads.map((head) => head.subarray(0, 32).toString("hex"))).size).toBe(3)
  })

  test("is as long as the text, the head and the tag", () => {
    expect(Buffer.from(box(key, TEXT), "base64")).toHaveLength(
      32 + 24 + 16 + Buffer.byteLength(TEXT),
    )
  })
})
