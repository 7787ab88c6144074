import { Effect, Redacted, type Scope } from "effect"
import { createHmac } from "node:crypto"
import { Agent, request } from "undici"
import { MessageNotSent } from "../../core/ports/Messenger.ts"
import type { Carrier } from "./carriers.ts"

/** Time limit of a provider, in milliseconds. */
const WHOLE = 5_000

/** Only the status of the provider's answer counts. */
const MOST_BYTES = 16 * 1_024

/** The provider of text messages, and the secret that signs requests to it. */
export interface SmsSettings {
  /** The address, which may contain a key. */
  readonly url: Redacted.Redacted
  readonly secret: Redacted.Redacted
}

const now = (): number => Math.floor(Date.now() / 1_000)

/**
 * Sends text messages to a provider as `POST {id, to, text}`. The `Payport-Signature` header is
 * `t=<unix seconds>,v1=<hex>`, the HMAC-SHA256 of the time, a dot and the body. `id` is also the
 * `Idempotency-Key`. Any answer but 2xx means that the message was not sent. Redirects are not
 * followed.
 */
export const smsOverHttp = Effect.fnUntraced(function* ({
  secret,
  url,
}: SmsSettings): Effect.fn.Return<Carrier, never, Scope.Scope> {
  const agent = yield* Effect.acquireRelease(
    Effect.sync(
      () =>
        new Agent({
          connections: 8,
          connectTimeout: WHOLE,
          headersTimeout: WHOLE,
          bodyTimeout: WHOLE,
          maxResponseSize: MOST_BYTES,
        }),
    ),
    (open) => Effect.promise(() => open.destroy()),
  )
  const post = async (id: string, body: string, signal: AbortSignal): Promise<number> => {
    const at = now()
    const signature = createHmac("sha256", Redacted.value(secret)).update(`${at}.${body}`)
    const answer = await request(Redacted.value(url), {
      dispatcher: agent,
      method: "POST",
      signal,
      headers: {
        "content-type": "application/json",
        "idempotency-key": id,
        "payport-signature": `t=${at},v1=${signature.digest("hex")}`,
      },
      body,
    })
    // The status alone tells whether the text was sent.
    void answer.body.dump({ limit: MOST_BYTES }).catch(() => undefined)
    return answer.statusCode
  }
  return ({ channel, id, text, to }) => {
    const failed = (message: string) => new MessageNotSent({ channel, message })
    return Effect.tryPromise({
      try: (signal) => post(id, JSON.stringify({ id, to, text }), signal),
      catch: () => failed("The provider of text messages did not answer."),
    }).pipe(
      Effect.timeoutOrElse({
        duration: WHOLE,
        orElse: () => Effect.fail(failed("The provider of text messages is too slow.")),
      }),
      Effect.flatMap((status) =>
        status >= 200 && status < 300
          ? Effect.void
          : Effect.fail(failed(`The provider of text messages answered ${status}.`)),
      ),
    )
  }
})
