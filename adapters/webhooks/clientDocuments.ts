import { Cache, Effect, Exit, Layer, Result, type Scope } from "effect"
import { type Dispatcher, request } from "undici"
import type { Client } from "../../core/oauth/Client.ts"
import { clientOfDocument, MOST_OF_DOCUMENT } from "../../core/oauth/ClientDocument.ts"
import { ClientDocuments } from "../../core/ports/ClientDocuments.ts"
import { Installation } from "../../core/ports/Installation.ts"
import { DAY, MINUTE, SECOND } from "../../core/shared/Timestamp.ts"
import { parseJson } from "../shared/parseJson.ts"
import { readBytes } from "../shared/readBytes.ts"
import { type Limit, withinTime } from "../shared/withinTime.ts"
import { errorCode } from "./errorCode.ts"
import { openAgent, type AgentOptions } from "./publicAgent.ts"
import { refusalOf } from "./receiverAddress.ts"

/** The most cached documents, and the default time in the cache. */
const KEPT = 500
const USUALLY_KEPT = 5 * MINUTE

/** The largest number of connections to one host, for all programs together. */
const CONNECTIONS = 4

const JSON_TYPE = /^application\/(?:json|[\w.-]+\+json)\s*(?:;|$)/i

interface Read {
  readonly client: Result.Result<Client, string>
  /** Time in the cache, in milliseconds. */
  readonly kept: number
}

const refused = (reason: string): Read => ({ client: Result.fail(reason), kept: 0 })

const secondsOf = (text: string, name: string): number | undefined => {
  const [, digits] = new RegExp(String.raw`(?:^|[,\s])${name}="?(\d{1,9})`, "i").exec(text) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** Returns how long an answer may be cached (RFC 9111), in milliseconds: at most a day. */
export const keptFor = ({
  age,
  "cache-control": control,
}: {
  readonly [name: string]: string | ReadonlyArray<string> | undefined
}): number => {
  const said = String(control ?? "")
  if (/\bno-(?:store|cache)\b/i.test(said)) return 0
  const seconds = secondsOf(said, "max-age")
  if (seconds === undefined) return USUALLY_KEPT
  const old = typeof age === "string" && /^\d{1,9}$/.test(age) ? Number(age) : 0
  return Math.min(DAY, Math.max(0, seconds - old) * SECOND)
}

/** Fetches the document, follows no redirect, and reads only a document's most bytes. */
const ask = async (
  dispatcher: Dispatcher,
  client_id: string,
  { over, signal }: Limit,
): Promise<Read> => {
  const asking = request(client_id, {
    dispatcher,
    headers: {
      "User-Agent": "payport",
      Accept: "application/json",
      "Accept-Encoding": "identity",
    },
    signal,
  })
  const { body, headers, statusCode } = await Promise.race([asking, over])
  body.on("error", () => {})
  const isJson = JSON_TYPE.test(String(headers["content-type"] ?? ""))
  if (statusCode !== 200 || !isJson || headers["content-encoding"] !== undefined) {
    body.destroy()
    const what = statusCode === 200 ? "without plain JSON" : `with status ${statusCode}`
    return refused(`was answered ${what}`)
  }
  const bytes = await Promise.race([readBytes(body, MOST_OF_DOCUMENT), over])
  if (bytes === undefined) return refused(`has more than ${MOST_OF_DOCUMENT} bytes`)
  const json = parseJson(bytes)
  if (Result.isFailure(json)) return refused("is not a JSON object")
  const client = clientOfDocument(client_id, json.success)
  return { client, kept: Result.isSuccess(client) ? keptFor(headers) : 0 }
}

/** Reads documents with its own connections, which close with the scope. */
export const makeClientDocuments = (
  options: AgentOptions,
): Effect.Effect<ClientDocuments["Service"], never, Scope.Scope> =>
  Effect.gen(function* () {
    const { local, timeout = 5_000 } = options
    const agent = yield* openAgent({ connections: CONNECTIONS, ...options, timeout })
    const lookup = (client_id: string): Effect.Effect<Read> =>
      refusalOf(client_id, local) === undefined
        ? Effect.promise((interrupted) =>
            withinTime(timeout, interrupted, (limit) => ask(agent, client_id, limit)).catch(
              (error: unknown) => refused(`could not be read (${errorCode(error)})`),
            ),
          )
        : Effect.succeed(refused("is not on the public internet"))
    const cache = yield* Cache.makeWith(lookup, {
      capacity: KEPT,
      timeToLive: (exit) => (Exit.isSuccess(exit) ? exit.value.kept : 0),
    })
    return {
      read: (client_id) => Effect.map(Cache.get(cache, client_id), ({ client }) => client),
    }
  })

/** Reads documents, also on this machine if the installation allows receivers there. */
export const layer: Layer.Layer<ClientDocuments, never, Installation> = Layer.effect(
  ClientDocuments,
  Effect.flatMap(Installation, ({ local_receivers }) =>
    makeClientDocuments({ local: local_receivers }),
  ),
)
