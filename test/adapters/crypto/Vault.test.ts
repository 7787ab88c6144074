import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { createHash, createHmac, createPublicKey, randomBytes, verify } from "node:crypto"
import { signedBy } from "../../../adapters/crypto/signatures.ts"
import { layer, makeVault } from "../../../adapters/crypto/Vault.ts"
import { Unsealable, Vault } from "../../../core/ports/Vault.ts"

const MASTER = new Uint8Array(32).fill(7)
const vault = makeVault(MASTER)
const PLACE = "account:acct_1:webhook_secret"

/** `v2.`, the id of the key and a dot. */
const HEAD = 12

const openable = (place: string, sealed: string, by = vault) =>
  Effect.match(by.open(place, sealed), {
    onFailure: (error) => error,
    onSuccess: (text) => text,
  })

describe("sealed text", () => {
  const texts = ["", "a", "whsec_secret", "größer 🙂 \u0000", "x".repeat(100_000)]
  for (const text of texts) {
    it.effect(`of ${text.length} characters opens where it belongs`, () =>
      Effect.gen(function* () {
        const sealed = vault.seal(PLACE, text)
        expect(sealed).toMatch(/^v2\.[\w-]{8}\.[\w-]+$/)
        expect(yield* vault.open(PLACE, sealed)).toBe(text)
      }),
    )
  }

  it("shows nothing of the text", () => {
    const sealed = vault.seal(PLACE, "whsec_secret")
    const bytes = Buffer.from(sealed.slice(HEAD), "base64url").toString("latin1")
    expect(sealed + bytes).not.toContain("secret")
  })

  it("is never the same twice", () => {
    const sealed = Array.from({ length: 1_000 }, () => vault.seal(PLACE, "same"))
    // The salt of the key, and the nonce.
    const heads = sealed.map((text) => Buffer.from(text.slice(HEAD), "base64url").subarray(0, 28))
    expect(new Set(heads.map((head) => head.toString("hex"))).size).toBe(1_000)
  })

  it.effect("does not open in another place", () =>
    Effect.gen(function* () {
      const sealed = vault.seal(PLACE, "whsec_secret")
      for (const place of ["account:acct_2:webhook_secret", "", `${PLACE}:`]) {
        expect(yield* openable(place, sealed)).toEqual(new Unsealable({ place }))
      }
    }),
  )

  it.effect("opens in another process with the same master key, and with no other key", () =>
    Effect.gen(function* () {
      const sealed = vault.seal(PLACE, "whsec_secret")
      expect(yield* openable(PLACE, sealed, makeVault(MASTER))).toBe("whsec_secret")
      const stranger = makeVault(new Uint8Array(32).fill(8))
      expect(yield* openable(PLACE, sealed, stranger)).toBeInstanceOf(Unsealable)
    }),
  )

  it.effect("does not open with any bit changed", () =>
    Effect.gen(function* () {
      const head = vault.seal(PLACE, "").slice(0, HEAD)
      const bytes = Buffer.from(vault.seal(PLACE, "whsec_secret").slice(HEAD), "base64url")
      for (let bit = 0; bit < bytes.length * 8; bit += 1) {
        const changed = Buffer.from(bytes)
        changed[bit >> 3]! ^= 1 << (bit & 7)
        const sealed = head + changed.toString("base64url")
        expect(yield* openable(PLACE, sealed)).toBeInstanceOf(Unsealable)
      }
    }),
  )

  it.effect("does not open when it is cut short, in another format or no sealed text", () =>
    Effect.gen(function* () {
      const sealed = vault.seal(PLACE, "whsec_secret")
      const others = [
        "",
        "v2.",
        "v2.AAAA",
        "nonsense",
        sealed.slice(3),
        `v1.${sealed.slice(3)}`,
        `v2.AAAAAAAA.${sealed.slice(HEAD)}`,
        sealed.slice(0, -1),
        sealed.slice(0, 40),
        sealed.slice(0, HEAD) + Buffer.alloc(44).toString("base64url"),
      ]
      for (const other of others) {
        expect(yield* openable(PLACE, other)).toBeInstanceOf(Unsealable)
      }
    }),
  )
})

describe("digests", () => {
  it("are SHA-256 and HMAC-SHA256 in lower-case hex", () => {
    expect(vault.sha256("größer")).toBe(createHash("sha256").update("größer").digest("hex"))
    // RFC 4231, test case 2.
    expect(vault.hmac("Jefe", "what do ya want for nothing?")).toBe(
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    )
    const bytes = randomBytes(100)
    expect(vault.hmac("größer", bytes)).toBe(
      createHmac("sha256", Buffer.from("größer")).update(bytes).digest("hex"),
    )
  })

  it("of a request are the same in each process, and under each master key others", () => {
    const print = vault.fingerprint("POST /v1/payments {}")
    expect(print).toMatch(/^[0-9a-f]{64}$/)
    expect(makeVault(MASTER).fingerprint("POST /v1/payments {}")).toBe(print)
    expect(makeVault(new Uint8Array(32)).fingerprint("POST /v1/payments {}")).not.toBe(print)
    expect(vault.fingerprint("POST /v1/payments {} ")).not.toBe(print)
    expect(vault.sha256("POST /v1/payments {}")).not.toBe(print)
  })
})

describe("signatures", () => {
  const text = "größer"

  it("are Ed25519 under a key that stays, and anybody can check them", () => {
    const signature = vault.sign(text)
    expect(makeVault(MASTER).signer()).toBe(vault.signer())
    const der = Buffer.concat([
      Buffer.from("302a300506032b6570032100", "hex"),
      Buffer.from(vault.signer(), "base64url"),
    ])
    const key = createPublicKey({ key: der, format: "der", type: "spki" })
    expect(verify(null, Buffer.from(text), key, Buffer.from(signature, "base64url"))).toBe(true)
    const isSigned = signedBy(vault.signer())
    expect(isSigned?.(text, signature)).toBe(true)
    expect(isSigned?.("größe", signature)).toBe(false)
  })

  it("of another installation, cut off or none, are no signatures", () => {
    const stranger = makeVault(new Uint8Array(32).fill(8))
    expect(stranger.signer()).not.toBe(vault.signer())
    for (const wrong of [stranger.sign(text), vault.sign(text).slice(0, 80), ""]) {
      expect(vault.isSigned(text, wrong)).toBe(false)
    }
    for (const none of ["", "A", `${vault.signer()}=`]) expect(signedBy(none)).toBeUndefined()
  })
})

describe("comparison", () => {
  const cases = [
    ["", "", true],
    ["abc", "abc", true],
    ["abc", "abd", false],
    ["abc", "abcd", false],
    ["abc", "", false],
    ["ü", "ü", true],
    ["ü", "u\u0308", false],
  ] as const
  for (const [a, b, same] of cases) {
    it(`of ${JSON.stringify(a)} and ${JSON.stringify(b)} is ${same}`, () => {
      expect(vault.equal(a, b)).toBe(same)
    })
  }
})

describe("tokens", () => {
  it("are 32 bytes of chance as 43 characters", () => {
    const tokens = Array.from({ length: 1_000 }, () => vault.token())
    expect(tokens.every((token) => /^[\w-]{43}$/.test(token))).toBe(true)
    expect(new Set(tokens).size).toBe(1_000)
  })
})

describe("the master key", () => {
  for (const bytes of [0, 16, 31, 33, 64]) {
    it(`cannot be ${bytes} bytes`, () => {
      expect(() => makeVault(new Uint8Array(bytes))).toThrow(`32 bytes, not ${bytes}`)
    })
  }

  it.effect("is given to the layer redacted", () =>
    Effect.gen(function* () {
      const { seal } = yield* Vault
      expect(yield* vault.open(PLACE, seal(PLACE, "text"))).toBe("text")
    }).pipe(Effect.provide(layer(Redacted.make(MASTER)))),
  )
})
