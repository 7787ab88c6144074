import { Effect, Layer, type Scope } from "effect"
import { type Agent, type Dispatcher, request } from "undici"
import { Installation } from "../../core/ports/Installation.ts"
import {
  type WebhookOutcome,
  type WebhookRequest,
  WebhookSender,
} from "../../core/ports/WebhookSender.ts"
import { type ErrorCode, errorCode } from "./errorCode.ts"
import { type AgentOptions, openAgent } from "./publicAgent.ts"
import { refusalOf } from "./receiverAddress.ts"
import { METRICS } from "../shared/metrics/Metrics.ts"
import { seriesOf } from "../shared/metrics/series.ts"
import { type Limit, withinTime } from "../shared/withinTime.ts"

const MAX_BODY_BYTES = 16 * 1_024
const KEPT_BYTES = 1_024

export type SenderOptions = AgentOptions

/**
 * Reads 16 KiB of a body at most, and keeps the first KiB as text. An answer that breaks off
 * counts: it has a status.
 */
const readText = async (answer: Dispatcher.ResponseData): Promise<string> => {
  const chunks: Array<Buffer> = []
  let read = 0
  let kept = 0
  try {
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      if (kept < KEPT_BYTES) {
        const part = chunk.subarray(0, KEPT_BYTES - kept)
        chunks.push(part)
        kept += part.length
      }
      read += chunk.length
      if (read >= MAX_BODY_BYTES) break
    }
  } catch {
    answer.body.destroy()
  }
  // Encoded bytes are no text, and nothing is decompressed here.
  if (answer.headers["content-encoding"] !== undefined) return ""
  // Leaves out a character that the limit cut in two. A NUL cannot be stored as text.
  const text = new TextDecoder().decode(Buffer.concat(chunks), { stream: true })
  return text.replaceAll("\0", "\ufffd")
}

/** Posts a delivery. A queued request heeds its signal only once it has a connection. */
const post = async (
  agent: Agent,
  { body, headers, url }: WebhookRequest,
  { over, signal }: Limit,
): Promise<Omit<WebhookOutcome, "duration_ms">> => {
  const answering = request(url, {
    dispatcher: agent,
    method: "POST",
    headers: { ...headers, "User-Agent": "payport", "Accept-Encoding": "identity" },
    body,
    signal,
  })
  const answer = await Promise.race([answering, over])
  const response = await readText(answer)
  return { status: answer.statusCode, ...(response !== "" && { response }) }
}

const attempts = seriesOf(METRICS.webhooks, "outcome")
const durations = seriesOf(METRICS.webhookDuration)()

/** What an attempt came to, as a label: the class of its status, or why there was none. */
export const outcomeLabel = ({ error, status }: WebhookOutcome): string =>
  status === null ? (error ?? "network_error") : `${Math.floor(status / 100)}xx`

const measured = <O extends WebhookOutcome>(outcome: O): O => {
  attempts(outcomeLabel(outcome))(1)
  durations(outcome.duration_ms / 1_000)
  return outcome
}

const forbidden: WebhookOutcome & { readonly error: ErrorCode } = {
  status: null,
  duration_ms: 0,
  error: "address_forbidden",
}

/** A sender with its own connections, which close with the scope. */
export const makeSender = (
  options: SenderOptions,
): Effect.Effect<WebhookSender["Service"], never, Scope.Scope> => {
  const { local, timeout = 5_000 } = options
  return openAgent({ ...options, timeout }).pipe(
    Effect.map((agent) => ({
      send: (message) =>
        refusalOf(message.url, local) === undefined
          ? Effect.promise(async (interrupted) => {
              const start = performance.now()
              const outcome = await withinTime(timeout, interrupted, (limit) =>
                post(agent, message, limit),
              ).catch((error: unknown) => ({
                status: null,
                error: errorCode(error),
              }))
              return measured({
                ...outcome,
                duration_ms: Math.round(performance.now() - start),
              })
            })
          : Effect.sync(() => measured(forbidden)),
    })),
  )
}

/** Sends webhooks, also to receivers on this machine if the installation allows them. */
export const layer: Layer.Layer<WebhookSender, never, Installation> = Layer.effect(
  WebhookSender,
  Effect.flatMap(Installation, ({ local_receivers }) => makeSender({ local: local_receivers })),
)
