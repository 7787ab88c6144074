import { createHash, createHmac, createPublicKey, verify } from "node:crypto"
import { Context, Effect, Layer, Result } from "effect"
import nacl from "tweetnacl"
import { Unsealable, Vault } from "../../../core/ports/Vault.ts"
import type { Check, Contract, MethodsCovered } from "./Contract.ts"
import { expect } from "./expect.ts"
import { portContract } from "./portContract.ts"

/** The vault to be checked. */
export interface VaultUnderTest {
  /** Makes a layer of the adapter, always of the same installation; each check closes its own. */
  readonly open: () => Layer.Layer<Vault, unknown>
  /** Makes a layer of another installation's vault. Neither opens the other's secrets. */
  readonly openOther: () => Layer.Layer<Vault, unknown>
}

type VaultCheck = Check<Vault>

const PLACE = "account:acct_1:webhook_secret"
const TEXTS = ["", "a", "whsec_secret", "whsec_secret ", "größer 🙂 \u0000", "x".repeat(100_000)]
const BYTES = Uint8Array.from({ length: 256 }, (_, n) => n)
const HEX = /^[0-9a-f]{64}$/
const BASE64URL_32 = /^[\w-]{43}$/

/** The bytes before the 32 bytes of a public key in its DER form (RFC 8410). */
const ED25519 = Buffer.from("302a300506032b6570032100", "hex")

const isOpened = (vault: Vault["Service"], place: string, sealed: string) =>
  Effect.gen(function* () {
    const found = yield* Effect.result(vault.open(place, sealed))
    if (Result.isFailure(found)) expect(found.failure).toBeInstanceOf(Unsealable)
    return Result.isSuccess(found)
  })

/** Opens a vault again, as another process would. */
const opened = (layer: Layer.Layer<Vault, unknown>) =>
  Effect.map(Layer.build(Layer.fresh(layer)), (built) => Context.get(built, Vault))

const sealing =
  ({ open, openOther }: VaultUnderTest) =>
  (check: VaultCheck): void =>
    check.group("sealed text", () => {
      check("opens where it was sealed, and nowhere else", () =>
        Effect.gen(function* () {
          const vault = yield* Vault
          for (const text of TEXTS) {
            const sealed = vault.seal(PLACE, text)
            expect(typeof sealed).toBe("string")
            expect(yield* vault.open(PLACE, sealed)).toBe(text)
            for (const place of ["account:acct_2:webhook_secret", "", `${PLACE}:`]) {
              expect(yield* isOpened(vault, place, sealed), place).toBe(false)
            }
          }
        }),
      )

      check("shows nothing of the text, and is never the same twice", () =>
        Effect.gen(function* () {
          const vault = yield* Vault
          const sealed = Array.from({ length: 200 }, () => vault.seal(PLACE, "whsec_secret"))
          expect(new Set(sealed).size).toBe(200)
          const shown = sealed.map(
            (text) => text + Buffer.from(text, "base64url").toString("latin1"),
          )
          expect(shown.some((text) => text.includes("secret"))).toBe(false)
        }),
      )

      check("opens in each process of the installation, and in no other", () =>
        Effect.gen(function* () {
          const vault = yield* Vault
          const sealed = vault.seal(PLACE, "whsec_secret")
          expect(yield* (yield* opened(open())).open(PLACE, sealed)).toBe("whsec_secret")
          expect(yield* isOpened(yield* opened(openOther()), PLACE, sealed)).toBe(false)
        }),
      )

      check("does not open where a character of it is another, or some are missing", () =>
        Effect.gen(function* () {
          const vault = yield* Vault
          const sealed = vault.seal(PLACE, "whsec_secret")
          for (let n = 0; n < sealed.length; n += 1) {
            // The letter changes by more than one place, since the lowest bits of the last letter
            // do not count.
            const other = sealed[n] === "A" ? "Q" : "A"
            const changed = sealed.slice(0, n) + other + sealed.slice(n + 1)
            expect(yield* isOpened(vault, PLACE, changed), `character ${n}`).toBe(false)
          }
          for (const wrong of ["", "nonsense", sealed.slice(1), sealed.slice(0, -4)]) {
            expect(yield* isOpened(vault, PLACE, wrong), wrong).toBe(false)
          }
        }),
      )

      check("names the key that it was sealed with, and other text names none", () =>
        Effect.gen(function* () {
          const vault = yield* Vault
          const [first, second] = [vault.seal(PLACE, "one"), vault.seal("elsewhere", "two")]
          const key = vault.keyOf(first)
          expect(typeof key === "string" && key.length > 0, "a key's id").toBe(true)
          expect(vault.keyOf(second)).toBe(key)
          const stranger = (yield* opened(openOther())).seal(PLACE, "one")
          expect(vault.keyOf(stranger)).not.toBe(key)
          for (const none of ["", "nonsense", "whsec_secret"]) {
            expect(vault.keyOf(none), none).toBeUndefined()
          }
        }),
      )
    })

const digests =
  ({ open, openOther }: VaultUnderTest) =>
  (check: VaultCheck): void =>
    check.group("digests", () => {
      check("are SHA-256 and HMAC-SHA256 of text and of bytes, in lower-case hex", () =>
        Effect.gen(function* () {
          const vault = yield* Vault
          for (const content of [...TEXTS, BYTES]) {
            expect(vault.sha256(content)).toBe(createHash("sha256").update(content).digest("hex"))
            for (const secret of ["whsec_one", "größer"]) {
              const expected = createHmac("sha256", secret).update(content).digest("hex")
              expect(vault.hmac(secret, content)).toBe(expected)
            }
          }
        }),
      )

      check("of requests are the installation's own, and the same in each of its processes", () =>
        Effect.gen(function* () {
          const vault = yield* Vault
          const prints = TEXTS.map((text) => vault.fingerprint(text))
          for (const print of prints) expect(print).toMatch(HEX)
          expect(new Set(prints).size).toBe(TEXTS.length)
          const again = yield* opened(open())
          expect(TEXTS.map((text) => again.fingerprint(text))).toStrictEqual(prints)
          const other = yield* opened(openOther())
          for (const [n, text] of TEXTS.entries()) {
            expect(other.fingerprint(text)).not.toBe(prints[n])
            expect(vault.sha256(text)).not.toBe(prints[n])
          }
        }),
      )
    })

const signing =
  ({ open, openOther }: VaultUnderTest) =>
  (check: VaultCheck): void =>
    check("signatures are Ed25519 under a key that stays, which anybody can check", () =>
      Effect.gen(function* () {
        const vault = yield* Vault
        const other = yield* opened(openOther())
        expect(vault.signer()).toMatch(BASE64URL_32)
        expect((yield* opened(open())).signer()).toBe(vault.signer())
        expect(other.signer()).not.toBe(vault.signer())
        const der = Buffer.concat([ED25519, Buffer.from(vault.signer(), "base64url")])
        const key = createPublicKey({ key: der, format: "der", type: "spki" })
        for (const text of TEXTS) {
          const signature = vault.sign(text)
          const bytes = Buffer.from(signature, "base64url")
          expect(verify(null, Buffer.from(text), key, bytes), "verified").toBe(true)
          expect(vault.isSigned(text, signature)).toBe(true)
          expect(vault.isSigned(`${text}.`, signature)).toBe(false)
          for (const wrong of [other.sign(text), signature.slice(0, 80), "", "nonsense"]) {
            expect(vault.isSigned(text, wrong)).toBe(false)
          }
        }
      }),
    )

const boxes = (check: VaultCheck): void =>
  check("a box opens for the holder of the key alone, and is another every time", () =>
    Effect.gen(function* () {
      const vault = yield* Vault
      const [holder, stranger] = [nacl.box.keyPair(), nacl.box.keyPair()]
      const publicKey = Buffer.from(holder.publicKey).toString("base64")
      const openBox = (boxed: string, secretKey: Uint8Array) => {
        const bytes = Buffer.from(boxed, "base64")
        const [from, nonce] = [bytes.subarray(0, 32), bytes.subarray(32, 56)]
        const text = nacl.box.open(bytes.subarray(56), nonce, from, secretKey)
        return text === null ? undefined : Buffer.from(text).toString("utf8")
      }
      for (const text of TEXTS) {
        const [first, second] = [vault.box(publicKey, text), vault.box(publicKey, text)]
        expect(openBox(first, holder.secretKey)).toBe(text)
        expect(openBox(first, stranger.secretKey)).toBeUndefined()
        // The sender's public key and the nonce: neither is used again.
        expect(first.slice(0, 42)).not.toBe(second.slice(0, 42))
        expect(first.slice(44, 74)).not.toBe(second.slice(44, 74))
      }
    }),
  )

const others = (check: VaultCheck): void => {
  check("texts are equal where every character is", () =>
    Effect.gen(function* () {
      const vault = yield* Vault
      for (const [n, text] of TEXTS.entries()) {
        expect(vault.equal(text, text)).toBe(true)
        expect(vault.equal(text, `${text}a`)).toBe(false)
        expect(vault.equal(text, TEXTS[(n + 1) % TEXTS.length] ?? "")).toBe(false)
      }
      expect(vault.equal("abc", "abd") || vault.equal("abc", "ABC")).toBe(false)
    }),
  )

  check("tokens are 32 bytes that nobody guesses", () =>
    Effect.gen(function* () {
      const vault = yield* Vault
      const tokens = Array.from({ length: 1_000 }, () => vault.token())
      for (const token of tokens) expect(token).toMatch(BASE64URL_32)
      expect(new Set(tokens).size).toBe(1_000)
      // Each place has many different characters, so no byte is fixed or a counter.
      for (let n = 0; n < 42; n += 1) {
        expect(new Set(tokens.map((token) => token[n])).size).toBeGreaterThanOrEqual(48)
      }
    }),
  )
}

/** Checks what every vault does. */
export const vaultContract = (vault: VaultUnderTest): Contract<MethodsCovered> =>
  portContract(
    Vault,
    {
      seal: 0,
      open: 0,
      keyOf: 0,
      sha256: 0,
      fingerprint: 0,
      hmac: 0,
      sign: 0,
      isSigned: 0,
      signer: 0,
      box: 0,
      equal: 0,
      token: 0,
    },
    vault.open,
    [sealing(vault), digests(vault), signing(vault), boxes, others],
  )
