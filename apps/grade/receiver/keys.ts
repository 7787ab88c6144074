import nacl from "tweetnacl"
import { LIMITED } from "../patience.ts"
import { failed, notJudged, passed, type Verdict } from "../report/Report.ts"
import { said } from "../Target.ts"
import type { Secrets } from "../../../core/webhooks/keys/Signature.ts"
import { once, type ReceiverCheck, refused, taken } from "./verdicts.ts"

const SIGNING = "Authentication 3 and 4: webhook signatures"
const ENCRYPTION = "Authentication 5: encrypted deliveries"

const lacks = (option: string): Verdict => notJudged(`${option} was not given`)

/** Checks of how a receiver treats secrets other than its own. */
export const SECRETS: ReadonlyArray<ReceiverCheck> = [
  {
    id: "old-secret",
    title: "takes what the old secret alone signed, while both are good",
    clause: `${SIGNING}: a secret that is replaced is good until the end of its grace`,
    needs: ["genuine"],
    judge: async ({ options: { oldSecret }, post, sender }) => {
      if (oldSecret === undefined) return lacks("--old-secret")
      const secrets: Secrets = [oldSecret]
      return taken(
        await post(sender.deliver(sender.payment(), { secrets })),
        "Give it both secrets while one is replaced.",
      )
    },
  },
  {
    id: "retired-secret",
    title: "refuses what a secret signed that has ended",
    clause: `${SIGNING}: a secret that was replaced ends`,
    needs: ["genuine"],
    judge: async ({ options: { retiredSecret }, postWrong, sender }) => {
      if (retiredSecret === undefined) return lacks("--retired-secret")
      const secrets: Secrets = [retiredSecret]
      return refused(
        await postWrong(sender.deliver(sender.payment(), { secrets })),
        "Take the secret out of its settings at the end of its grace.",
      )
    },
  },
]

const SEALED =
  "Open the box with the key that key_fingerprint names: 32 bytes of a public key, 24 of a " +
  "nonce, then the box. The event is in it, its data under data.object."

/** If decryption fails, the receiver is at fault: it has to ask for a retry, until it is fixed. */
const repeatable = (seen: { readonly status: number | null }, answer: string): Verdict => {
  const { status } = seen
  if (status === 429) return LIMITED
  if (status !== null && (status >= 500 || status === 401)) return passed
  return failed(
    "status 5xx, such as 500, or 401",
    answer,
    "Answer 500, so that it comes again once the key is there: 2xx and any other 4xx end it.",
  )
}

/** Checks of how a receiver treats encrypted deliveries. */
export const ENCRYPTED: ReadonlyArray<ReceiverCheck> = [
  {
    id: "encrypted",
    title: "takes an encrypted delivery",
    clause: ENCRYPTION,
    needs: ["genuine"],
    judge: async ({ options: { encryptionKey }, post, sender, sent }) => {
      if (encryptionKey === undefined) return lacks("--encryption-key")
      const event = sender.payment()
      sent.set("encrypted", [event.id])
      return taken(await post(sender.deliver(event, { key: encryptionKey })), SEALED)
    },
  },
  {
    id: "encrypted-once",
    title: "takes the event in the box, and once",
    clause: ENCRYPTION,
    needs: ["encrypted"],
    judge: (receiver) => once(receiver, "encrypted", SEALED),
  },
  {
    id: "old-key",
    title: "opens a box for the key that is being replaced",
    clause: `${ENCRYPTION}: a delivery keeps the key that it was made for`,
    needs: ["encrypted"],
    judge: async ({ options: { oldEncryptionKey }, post, sender }) => {
      if (oldEncryptionKey === undefined) return lacks("--old-encryption-key")
      return taken(
        await post(sender.deliver(sender.payment(), { key: oldEncryptionKey })),
        "Keep the old key until the last delivery for it has come, and choose by fingerprint.",
      )
    },
  },
  {
    id: "unknown-key",
    title: "lets a box come again whose key it does not have",
    clause: `${ENCRYPTION}: webhook_key_not_found`,
    needs: ["encrypted"],
    judge: async ({ post, sender }) => {
      const key = Buffer.from(nacl.box.keyPair().publicKey).toString("base64")
      const answer = await post(sender.deliver(sender.payment(), { key }))
      return repeatable(answer, said(answer))
    },
  },
  {
    id: "broken-box",
    title: "lets a box come again that does not open",
    clause: `${ENCRYPTION}: webhook_decryption_failed`,
    needs: ["encrypted"],
    judge: async ({ options: { encryptionKey }, post, sender }) => {
      if (encryptionKey === undefined) return lacks("--encryption-key")
      const event = sender.payment()
      const { body } = sender.deliver(event, { key: encryptionKey })
      const fields = JSON.parse(body) as { readonly ciphertext: string }
      const bytes = Buffer.from(fields.ciphertext, "base64")
      bytes.writeUInt8((bytes.at(-1) ?? 0) ^ 1, bytes.length - 1)
      const broken = JSON.stringify({ ...fields, ciphertext: bytes.toString("base64") })
      const answer = await post(sender.deliver(event, { key: encryptionKey, body: broken }))
      return repeatable(answer, said(answer))
    },
  },
  {
    id: "forged-box",
    title: "refuses an encrypted delivery that another secret signed",
    clause: `${ENCRYPTION}: it is signed as well, since anybody can seal a box`,
    needs: ["encrypted"],
    judge: async ({ options: { encryptionKey }, postWrong, sender, sent }) => {
      if (encryptionKey === undefined) return lacks("--encryption-key")
      const event = sender.payment()
      sent.set("refused", [...(sent.get("refused") ?? []), event.id])
      const secrets: Secrets = [sender.stranger()]
      return refused(
        await postWrong(sender.deliver(event, { key: encryptionKey, secrets })),
        "Verify the signature of every delivery: whoever knows the public key can encrypt for it.",
      )
    },
  },
]
