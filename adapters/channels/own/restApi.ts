import { ChannelRefusal } from "../../../core/ports/Channels.ts"
import { retryAfter } from "../http/retryAfter.ts"
import { readBytes } from "../../shared/readBytes.ts"

/** The longest answer. */
const MAX_BODY_BYTES = 1_048_576

/** The options of a request, which a channel's function gets beside its question. */
export interface RestOptions {
  /** Aborts the request. */
  readonly signal?: AbortSignal
}

/** A JSON REST API, as the functions of a channel call it. */
export interface RestApi {
  /** Returns the answer to a GET; undefined for 404. */
  readonly get: <A = unknown>(path: string, options?: RestOptions) => Promise<A | undefined>
  /** Returns the answer to a PUT, which may be repeated. */
  readonly put: <A = unknown>(path: string, body: object, options?: RestOptions) => Promise<A>
  /** Returns the answer to a POST. */
  readonly post: <A = unknown>(path: string, body: object, options?: RestOptions) => Promise<A>
}

const utf8 = new TextDecoder("utf-8", { fatal: true })

const read = async (answer: Response): Promise<unknown> => {
  const bytes = answer.body === null ? Buffer.of() : await readBytes(answer.body, MAX_BODY_BYTES)
  if (bytes === undefined) throw new Error("the answer is longer than 1 MiB")
  return bytes.length === 0 ? undefined : JSON.parse(utf8.decode(bytes))
}

/** Reports only the status, because bodies do not belong in a log. */
const refuse = ({ headers, status }: Response): never => {
  const message = `the API answered ${status}`
  if (status === 401) throw new ChannelRefusal({ reason: "credentials", message })
  if (status !== 429) throw new Error(message)
  const retry_after = retryAfter(headers.get("retry-after"), Date.now())
  throw new ChannelRefusal({ reason: "rate_limited", message, retry_after })
}

/**
 * Returns a client for a REST API at `url`, with `headers` on each request. An answer may have 1
 * MiB of JSON. Redirects are not followed. Errors are thrown in the form that payport expects: for
 * 401 a `ChannelRefusal` with `credentials`, for 429 one with `rate_limited`, and for everything
 * else an error, after which it is unknown whether money has moved.
 */
export const restApi = (
  url: string,
  headers: { readonly [name: string]: string } = {},
): RestApi => {
  const ask = async (method: string, path: string, { signal }: RestOptions = {}, body?: object) => {
    const answer = await fetch(`${url.replace(/\/$/, "")}${path}`, {
      method,
      headers: { ...(body && { "content-type": "application/json" }), ...headers },
      redirect: "error",
      ...(signal && { signal }),
      ...(body && { body: JSON.stringify(body) }),
    })
    if (answer.ok) return read(answer)
    await answer.body?.cancel()
    return method === "GET" && answer.status === 404 ? undefined : refuse(answer)
  }
  return {
    get: <A>(path: string, options?: RestOptions) => ask("GET", path, options) as Promise<A>,
    put: <A>(path: string, body: object, options?: RestOptions) =>
      ask("PUT", path, options, body) as Promise<A>,
    post: <A>(path: string, body: object, options?: RestOptions) =>
      ask("POST", path, options, body) as Promise<A>,
  }
}
