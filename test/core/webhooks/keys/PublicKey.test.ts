import { createHash, createPublicKey, diffieHellman, generateKeyPairSync } from "node:crypto"
import { describe, expect, test } from "vitest"
import { bytesOf, fingerprintOf, flawOf } from "../../../../core/webhooks/keys/PublicKey.ts"

const P = 2n ** 255n - 19n

/** The u-coordinates of order 1, 2, 4 and 8 on the curve and on its twist. */
const SMALL = [
  0n,
  1n,
  325606250916557431795983626356110631294008115727848805560023387167927233504n,
  39382357235489614581723060781553021112529911719440698176882885853963445705823n,
  P - 1n,
]

const bytes = (n: bigint): Buffer =>
  Buffer.from(n.toString(16).padStart(64, "0"), "hex").toReversed() as Buffer

const base64 = (n: bigint): string => Buffer.from(bytes(n)).toString("base64")

/** Every 32 bytes that a program takes for one of them, whether it reads the highest bit or not. */
const forms = [
  ...new Set(
    SMALL.flatMap((u) => [0n, 1n, 2n].map((k) => u + k * P))
      .filter((n) => n < 2n ** 256n)
      .flatMap((n) => (n < 2n ** 255n ? [n, n + 2n ** 255n] : [n]))
      .map(base64),
  ),
]

/** The shared secret of a fresh key with a public key; undefined where the library refuses it. */
const shared = (publicKey: string): Buffer | undefined => {
  const x = Buffer.from(publicKey, "base64").toString("base64url")
  const other = createPublicKey({ key: { kty: "OKP", crv: "X25519", x }, format: "jwk" })
  const { privateKey } = generateKeyPairSync("x25519")
  try {
    return diffieHellman({ privateKey, publicKey: other })
  } catch {
    return undefined
  }
}

describe("a public key", () => {
  test("there are 19 forms of points of small order", () => {
    expect(forms).toHaveLength(19)
  })

  test.each(forms)("of small order is refused: %s", (form) => {
    expect(flawOf(form)).toBe("must not be a point of small order")
  })

  test("the library finds the same forms useless, as far as it masks the highest bit", () => {
    const useless = forms.filter((form) => shared(form) === undefined)
    expect(useless).toHaveLength(14)
  })

  test.each([
    ["nothing", ""],
    ["31 bytes", Buffer.alloc(31, 9).toString("base64")],
    ["33 bytes", Buffer.alloc(33, 9).toString("base64")],
    ["hex", Buffer.alloc(32, 9).toString("hex")],
    ["no padding", Buffer.alloc(32, 9).toString("base64").slice(0, 43)],
    ["the other alphabet", `${"-_".repeat(21)}A=`],
    ["spare bits", `${"CQkJ".repeat(10)}CQl=`],
    ["white space within", `${Buffer.alloc(32, 9).toString("base64").slice(0, 42)}\n=`],
    ["white space behind", `${Buffer.alloc(32, 9).toString("base64")}\n`],
    ["letters of another script", "Ａ".repeat(43) + "="],
  ])("that is none is refused: %s", (_what, text) => {
    expect(flawOf(text)).toBe("must be 32 bytes in base64: 43 characters and =")
  })

  test("that is fresh is taken, and serves", () => {
    for (let n = 0; n < 50; n += 1) {
      const { publicKey } = generateKeyPairSync("x25519")
      const { x = "" } = publicKey.export({ format: "jwk" })
      const text = Buffer.from(x, "base64url").toString("base64")
      expect(flawOf(text), text).toBeUndefined()
      expect(Buffer.from(bytesOf(text))).toStrictEqual(Buffer.from(x, "base64url"))
      expect(shared(text)).toHaveLength(32)
    }
  })

  test("neighbours of the refused points are taken", () => {
    for (const n of [2n, P - 2n, SMALL[2]! + 1n, SMALL[3]! - 1n, P + 2n]) {
      expect(flawOf(base64(n)), String(n)).toBeUndefined()
    }
  })

  test("is known by the first 16 hex digits of its SHA-256", () => {
    const key = "hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo="
    const hash = createHash("sha256").update(bytesOf(key)).digest("hex")
    expect(fingerprintOf(hash)).toBe(`fp_${hash.slice(0, 16)}`)
    expect(fingerprintOf(hash)).toMatch(/^fp_[0-9a-f]{16}$/)
  })
})
