import { ChannelRefusal } from "../../../core/ports/Channels.ts"
import { retryAfter } from "../http/retryAfter.ts"
import { readBytes } from "../../shared/readBytes.ts"

/** No answer may be longer. */
const MAX_BODY_BYTES = 1_048_576

/** What a function of a channel is given beside its question, as far as a request needs it. */
export interface RestOptions {
  /** Ends the request where it aborts. */
  readonly signal?: AbortSignal
}

/** A REST API that speaks JSON, as the functions of a channel ask it. */
export interface RestApi {
  /** The answer to a GET; undefined where there is no such thing (404). */
  readonly get: <A = unknown>(path: string, options?: RestOptions) => Promise<A | undefined>
  /** The answer to a PUT, which may be sent again. */
  readonly put: <A = unknown>(path: string, body: object, options?: RestOptions) => Promise<A>
  /** The answer to a POST. */
  readonly post: <A = unknown>(path: string, body: object, options?: RestOptions) => Promise<A>
}

const utf8 = new TextDecoder("utf-8", { fatal: true })

const read = async (answer: Response): Promise<unknown> => {
  const bytes = answer.body === null ? Buffer.of() : await readBytes(answer.body, MAX_BODY_BYTES)
  if (bytes === undefined) throw new Error("the answer is longer than 1 MiB")
  return bytes.length === 0 ? undefined : JSON.parse(utf8.decode(bytes))
}

/** Says no more than the status: bodies hold what is no business of a log. */
const refuse = ({ headers, status }: Response): never => {
  const message = `the API answered ${status}`
  if (status === 401) throw new ChannelRefusal({ reason: "credentials", message })
  if (status !== 429) throw new Error(message)
  const retry_after = retryAfter(headers.get("retry-after"), Date.now())
  throw new ChannelRefusal({ reason: "rate_limited", message, retry_after })
}

/**
 * Asks a REST API at `url`, with `headers` on each request. An answer may have 1 MiB of JSON; one
 * that leads elsewhere is not followed. What is not answered well throws what payport makes the
 * right thing of: 401 is a `ChannelRefusal` for `credentials`, 429 one for `rate_limited`, and
 * everything else an error, after which nobody knows whether money has moved.
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
