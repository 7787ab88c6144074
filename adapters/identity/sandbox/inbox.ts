import { Clock, Effect, Layer, Option } from "effect"
import { Documents } from "../../../core/ports/Documents.ts"
import { Inbox, type InboxMessage } from "../../../core/ports/Inbox.ts"
import { type Message, MessageNotSent } from "../../../core/ports/Messenger.ts"
import { Vault } from "../../../core/ports/Vault.ts"
import { DAY, toIso } from "../../../core/shared/Timestamp.ts"
import type { Carrier } from "../carriers.ts"

const SCOPE = "sandbox_messages"

/** How long messages are kept. The next message deletes older ones. */
const KEPT_FOR = DAY

/** Documents per read or removal. */
const BATCH = 100

const prefixOf = (accountId: string, verificationId = ""): string =>
  `${accountId} ${verificationId}`

const placeOf = (id: string): string => `sandbox_message:${id}`

const idsOf = (found: ReadonlyArray<{ readonly id: string }>) => found.map(({ id }) => id)

const sealedOf = (body: unknown): string =>
  typeof body === "object" && body !== null ? String(Reflect.get(body, "sealed")) : ""

/** Reads all documents whose id has the prefix, by id. */
const every = Effect.fnUntraced(function* (documents: Documents["Service"], prefix: string) {
  const found = []
  let after = ""
  while (true) {
    const page = yield* documents.page(SCOPE, { prefix, after, limit: BATCH })
    found.push(...page)
    const last = page.at(-1)
    if (last === undefined || page.length < BATCH) return found
    after = last.id
  }
})

/** Puts messages into the inbox, sealed, instead of sending them. */
export const inboxCarrier: Effect.Effect<Carrier, never, Documents | Vault> = Effect.gen(
  function* () {
    const documents = yield* Documents
    const vault = yield* Vault
    const put = Effect.fnUntraced(function* (message: Message) {
      const { account_id, channel, id, subject, text, to, verification_id } = message
      const at = yield* Clock.currentTimeMillis
      const kept: InboxMessage = {
        id,
        verification_id,
        channel,
        to,
        subject,
        text,
        sent_at: toIso(at),
      }
      const old = yield* documents.due(SCOPE, at, BATCH)
      if (old.length > 0) yield* documents.remove(SCOPE, idsOf(old))
      const documentId = prefixOf(account_id, id)
      const sealed = vault.seal(placeOf(documentId), JSON.stringify(kept))
      yield* documents.put({
        scope: SCOPE,
        id: documentId,
        version: 0,
        body: { sealed },
        due_at: at + KEPT_FOR,
      })
    })
    return (message) =>
      put(message).pipe(
        Effect.mapError(
          () =>
            new MessageNotSent({ channel: message.channel, message: "The inbox did not take it." }),
        ),
      )
  },
)

/** The sandbox's inbox, over `Documents`. */
export const layer: Layer.Layer<Inbox, never, Documents | Vault> = Layer.effect(
  Inbox,
  Effect.gen(function* () {
    const documents = yield* Documents
    const vault = yield* Vault
    return {
      list: Effect.fnUntraced(function* (accountId, verificationId) {
        const found = yield* every(documents, prefixOf(accountId, verificationId))
        // Nothing seals messages again, so that an old one may have outlived its data key.
        const texts = yield* Effect.forEach(found, ({ body, id }) =>
          Effect.option(vault.open(placeOf(id), sealedOf(body))),
        )
        const messages = texts.flatMap((text) =>
          Option.isSome(text) ? [JSON.parse(text.value) as InboxMessage] : [],
        )
        return messages.toSorted((a, b) => (a.sent_at < b.sent_at ? -1 : 1))
      }),
      erase: Effect.fnUntraced(function* (accountId) {
        const found = yield* every(documents, prefixOf(accountId))
        if (found.length > 0) yield* documents.remove(SCOPE, idsOf(found))
      }),
    }
  }),
)
