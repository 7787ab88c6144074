import { Effect, Redacted, type Scope } from "effect"
import { MessageNotSent } from "../../core/ports/Messenger.ts"
import type { Carrier } from "./carriers.ts"
import { contactRules } from "./contactRules.ts"

/** Time limit of each step of a mail server, in milliseconds. */
const STEP = 4_000

/** Time limit of all steps together. */
const WHOLE = 8_000

/** The mail server and the sender's address. */
export interface SmtpSettings {
  /** `smtp://` or `smtps://`, with user and password if the server needs them. */
  readonly url: Redacted.Redacted
  readonly from: string
}

/** Whether the server is on this machine. Any other must use TLS. */
const isLocal = (url: string): boolean =>
  /^(localhost|127\.0\.0\.1|\[::1\])$/.test(URL.parse(url)?.hostname ?? "")

/** Returns the reason by its code only: the server's message quotes the recipient's address. */
const reasonOf = (error: unknown): string => {
  const codes = error instanceof Error ? ["responseCode", "code"] : []
  const known = codes
    .map((name): unknown => Reflect.get(error as object, name))
    .find((code) => typeof code === "number" || typeof code === "string")
  return `The mail server did not take it (${JSON.stringify(known ?? "unknown")}).`
}

/**
 * Sends e-mail over SMTP, and keeps connections for the next message. Never sends to an address
 * with several recipients or a line of SMTP, whatever was checked before.
 */
export const smtp = Effect.fnUntraced(function* ({
  from,
  url,
}: SmtpSettings): Effect.fn.Return<Carrier, never, Scope.Scope> {
  // Loaded on demand: it is large, and most installations send no mail.
  const { createTransport } = yield* Effect.promise(() => import("nodemailer"))
  const transport = yield* Effect.acquireRelease(
    Effect.sync(() =>
      createTransport({
        url: Redacted.value(url),
        requireTLS: !isLocal(Redacted.value(url)),
        pool: true,
        maxConnections: 4,
        connectionTimeout: STEP,
        greetingTimeout: STEP,
        socketTimeout: STEP,
        disableFileAccess: true,
        disableUrlAccess: true,
      }),
    ),
    (open) => Effect.sync(() => open.close()),
  )
  return ({ channel, id, subject, text, to }) => {
    if (!contactRules.isEmail(to)) {
      return Effect.fail(new MessageNotSent({ channel, message: "The address has no plain form." }))
    }
    return Effect.tryPromise({
      try: () =>
        transport.sendMail({
          from,
          to: { name: "", address: to },
          subject,
          text,
          messageId: `<${id}@payport.invalid>`,
          headers: { "Auto-Submitted": "auto-generated" },
        }),
      catch: (error) => new MessageNotSent({ channel, message: reasonOf(error) }),
    }).pipe(
      Effect.asVoid,
      Effect.timeoutOrElse({
        duration: WHOLE,
        orElse: () =>
          Effect.fail(new MessageNotSent({ channel, message: "The mail server is too slow." })),
      }),
    )
  }
})
