import { Effect, Layer, type Scope } from "effect"
import { type Dispatcher, request } from "undici"
import { Installation } from "../../core/ports/Installation.ts"
import { type ProbeAnswer, ResourceProbe } from "../../core/ports/ResourceProbe.ts"
import { type Limit, withinTime } from "../shared/withinTime.ts"
import { readRequired } from "../shared/x402/Required.ts"
import { errorCode } from "./errorCode.ts"
import { openAgent, type AgentOptions } from "./publicAgent.ts"
import { refusalOf } from "./receiverAddress.ts"

/** The probe's user agent, by which a seller recognizes its requests. */
const USER_AGENT = "payport-probe"

/** Requirements are a header, in base64. */
const MAX_HEADER_BYTES = 32 * 1_024

/** The most connections to one seller's resources, even if all are due at once. */
const CONNECTIONS = 4

interface Asked {
  readonly url: string
  readonly method: Dispatcher.HttpMethod
}

const silent = (reason: string): ProbeAnswer => ({ type: "silent", reason })

/** Sends a request without payment and body, follows no redirect, and reads the answer's head. */
const ask = async (
  dispatcher: Dispatcher,
  { method, url }: Asked,
  { over, signal }: Limit,
): Promise<ProbeAnswer> => {
  const answering = request(url, {
    dispatcher,
    method,
    headers: { "User-Agent": USER_AGENT, Accept: "application/json" },
    signal,
  })
  const { body, headers, statusCode } = await Promise.race([answering, over])
  body.on("error", () => {})
  body.destroy()
  const required = headers["payment-required"]
  if (statusCode !== 402) return silent(`status_${statusCode}`)
  return typeof required === "string" ? readRequired(required) : silent("no_requirements")
}

/** Makes a probe with its own connections, which close with the scope. */
export const makeProbe = (
  options: AgentOptions,
): Effect.Effect<ResourceProbe["Service"], never, Scope.Scope> => {
  const { local, timeout = 5_000 } = options
  const limits = { connections: CONNECTIONS, maxHeaderSize: MAX_HEADER_BYTES }
  return Effect.map(openAgent({ ...limits, ...options, timeout }), (agent) => ({
    ask: (asked) =>
      refusalOf(asked.url, local) === undefined
        ? Effect.promise((interrupted) =>
            withinTime(timeout, interrupted, (limit) => ask(agent, asked, limit)).catch(
              (error: unknown) => silent(errorCode(error)),
            ),
          )
        : Effect.succeed(silent("address_forbidden")),
  }))
}

/** Probes resources, also on this machine if the installation allows receivers there. */
export const layer: Layer.Layer<ResourceProbe, never, Installation> = Layer.effect(
  ResourceProbe,
  Effect.flatMap(Installation, ({ local_receivers }) => makeProbe({ local: local_receivers })),
)
