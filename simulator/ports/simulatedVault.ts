import { Effect, Schema } from "effect"
import { createHmac, hash } from "node:crypto"
import { Unsealable, type Vault } from "../../core/ports/Vault.ts"
import type { Chance } from "../random/Chance.ts"

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
const TOKEN_LENGTH = 43
const TAG_LENGTH = 32
const FORMAT = "clear."

const toBase64 = Schema.encodeSync(Schema.StringFromBase64)

const hmac = (key: string, message: string | Uint8Array): string =>
  createHmac("sha256", key).update(message).digest("hex")

/** Returns a sealed text in clear, for those who need to know it. */
export const sealedText = (sealed: string): string => sealed.slice(FORMAT.length + TAG_LENGTH + 1)

/** The master key of every world. */
export const MASTER = "master key of this world"

/** Returns a stand-in for a signature with a master key; equal for equal texts. */
export const signatureOf = (master: string, text: string): string =>
  hash("sha512", `${master} signature ${text}`, "base64url")

/**
 * A vault whose every result is decided by the seed. Hashes and signatures are real. Sealed texts
 * stay readable, since a simulated world has no secrets. Their tag binds text and place: a changed
 * text, or one from another place, does not open, as with a real vault.
 */
export const simulatedVault = (master: string, chance: Chance): Vault["Service"] => {
  const tag = (place: string, text: string): string =>
    hash("sha256", `${master} seal ${place.length} ${place} ${text}`).slice(0, TAG_LENGTH)
  const sign = (text: string) => signatureOf(master, text)
  return {
    seal: (place, text) => `${FORMAT}${tag(place, text)}.${text}`,
    open: (place, sealed) =>
      Effect.suspend(() => {
        const text = sealedText(sealed)
        return sealed === `${FORMAT}${tag(place, text)}.${text}`
          ? Effect.succeed(text)
          : Effect.fail(new Unsealable({ place }))
      }),
    keyOf: (sealed) => (sealed.startsWith(FORMAT) ? "simulate" : undefined),
    sha256: (text) => hash("sha256", text, "hex"),
    fingerprint: (text) => hash("sha256", `${master} fingerprint ${text}`),
    hmac,
    sign,
    isSigned: (text, signature) => signature === sign(text),
    signer: () => hash("sha256", `${master} signer`, "base64url"),
    box: (publicKey, text) => toBase64(`${tag(`box for ${publicKey}`, text)}.${text}`),
    equal: (a, b) => a === b,
    token: () => {
      const letter = () => LETTERS[chance.int(0, LETTERS.length - 1)]
      return Array.from({ length: TOKEN_LENGTH }, letter).join("")
    },
  }
}
