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

/** What was sealed, for those who have to know. */
export const sealedText = (sealed: string): string => sealed.slice(FORMAT.length + TAG_LENGTH + 1)

/** The master key of every world. */
export const MASTER = "master key of this world"

/** What stands for a signature under a master key: the same for the same text. */
export const signatureOf = (master: string, text: string): string =>
  hash("sha512", `${master} signature ${text}`, "base64url")

/**
 * A vault whose every answer is decided by the seed. Hashes and signatures are the real ones. What
 * it seals it keeps readable, since a simulated world has no secrets, under a tag that binds text
 * and place: changed text, or text of another place, does not open, as with a real vault.
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
