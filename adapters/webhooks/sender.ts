import { Effect, Layer, type Scope } from "effect"
import type { Agent } from "undici"
import { Installation } from "../../core/ports/Installation.ts"
import {
  type WebhookOutcome,
  type WebhookRequest,
  WebhookSender,
} from "../../core/ports/WebhookSender.ts"
import { type Answer, Answering } from "./Answering.ts"
import { type ErrorCode, errorCode } from "./errorCode.ts"
import { type AgentOptions, openAgent } from "./publicAgent.ts"
import { refusalOf } from "./receiverAddress.ts"
import { METRICS } from "../shared/metrics/Metrics.ts"
import { seriesOf } from "../shared/metrics/series.ts"
import { OutOfTime } from "../shared/withinTime.ts"

export type SenderOptions = AgentOptions

/** A receiver's address for a request; undefined if it is forbidden. */
type Target = { readonly origin: string; readonly path: string } | undefined

/** The most receivers that are remembered. Beyond that all are checked again. */
const MOST_TARGETS = 4_096

/** Checks each address once, because the rules do not change while a process runs. */
const targets = (local: boolean): ((url: string) => Target) => {
  const known = new Map<string, Target>()
  return (text) => {
    if (known.has(text)) return known.get(text)
    const url = refusalOf(text, local) === undefined ? new URL(text) : undefined
    const target = url && { origin: url.origin, path: `${url.pathname}${url.search}` }
    if (known.size >= MOST_TARGETS) known.clear()
    known.set(text, target)
    return target
  }
}

/** Sends a request with a time limit, which includes waiting for a connection. */
const post = (
  agent: Agent,
  target: NonNullable<Target>,
  { body, headers }: WebhookRequest,
  timeout: number,
): Effect.Effect<Answer> =>
  Effect.callback((resume) => {
    const answering = new Answering((answer) => {
      clearTimeout(timer)
      resume(Effect.succeed(answer))
    })
    const timer = setTimeout(() => answering.stop(new OutOfTime(timeout)), timeout)
    agent.dispatch(
      {
        ...target,
        method: "POST",
        headers: { ...headers, "User-Agent": "payport", "Accept-Encoding": "identity" },
        body,
      },
      answering,
    )
    return Effect.sync(() => answering.stop(new OutOfTime(timeout)))
  })

const attempts = seriesOf(METRICS.webhooks, "outcome")
const durations = seriesOf(METRICS.webhookDuration)()

/** Returns the label of an attempt: the class of its status, or why there was none. */
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

/** Makes a sender with its own connections, which close with the scope. */
export const makeSender = (
  options: SenderOptions,
): Effect.Effect<WebhookSender["Service"], never, Scope.Scope> => {
  const { local, timeout = 5_000 } = options
  const targetOf = targets(local)
  return openAgent({ ...options, timeout }).pipe(
    Effect.map((agent) => ({
      send: (message) => {
        const target = targetOf(message.url)
        if (target === undefined) return Effect.sync(() => measured(forbidden))
        return Effect.suspend(() => {
          const start = performance.now()
          return Effect.map(post(agent, target, message, timeout), (answer) => {
            const duration_ms = Math.round(performance.now() - start)
            return measured(
              answer.status === null
                ? { status: null, error: errorCode(answer.cause), duration_ms }
                : { ...answer, duration_ms },
            )
          })
        })
      },
    })),
  )
}

/** Sends webhooks, also to receivers on this machine if the installation allows them. */
export const layer: Layer.Layer<WebhookSender, never, Installation> = Layer.effect(
  WebhookSender,
  Effect.flatMap(Installation, ({ local_receivers }) => makeSender({ local: local_receivers })),
)
