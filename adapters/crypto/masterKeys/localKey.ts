import { Effect } from "effect"
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import { MasterKey, MasterKeyFailure } from "../../../core/ports/MasterKey.ts"
import { derive, KEY_BYTES, masterKeyId } from "../DataKeys.ts"

const NONCE_BYTES = 12
const TAG_BYTES = 16
const ALGORITHM = "aes-256-gcm"

const doesNotOpen = (id: string) =>
  new MasterKeyFailure({
    reason: "does_not_open",
    message: `The master key ${id} does not open the keys of this database.`,
  })

/**
 * A master key of 32 bytes in this process. It wraps only some hundred keys, so that random nonces
 * of 96 bits never collide.
 */
export const localKey = (master: Uint8Array): MasterKey["Service"] => {
  if (master.length !== KEY_BYTES) {
    throw new RangeError(`The master key has to be ${KEY_BYTES} bytes, not ${master.length}.`)
  }
  const id = masterKeyId(master)
  const key = derive(master, "payport/wrap")
  const unwrap = (name: string, wrapped: string): Uint8Array | undefined => {
    const bytes = Buffer.from(wrapped, "base64url")
    const end = bytes.length - TAG_BYTES
    if (end !== NONCE_BYTES + KEY_BYTES) return undefined
    const nonce = bytes.subarray(0, NONCE_BYTES)
    const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(name))
    decipher.setAuthTag(bytes.subarray(end))
    const opened = decipher.update(bytes.subarray(NONCE_BYTES, end))
    try {
      decipher.final()
      return new Uint8Array(opened)
    } catch {
      return undefined
    }
  }
  return MasterKey.of({
    id,
    wrap: (name, bytes) =>
      Effect.sync(() => {
        const nonce = randomBytes(NONCE_BYTES)
        const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
        cipher.setAAD(Buffer.from(name))
        const body = Buffer.concat([cipher.update(bytes), cipher.final()])
        return Buffer.concat([nonce, body, cipher.getAuthTag()]).toString("base64url")
      }),
    unwrap: (name, wrapped) =>
      Effect.suspend(() => {
        const bytes = unwrap(name, wrapped)
        return bytes === undefined ? Effect.fail(doesNotOpen(id)) : Effect.succeed(bytes)
      }),
  })
}
