import { Agent, request } from "undici"
import { nameOf, reachedNobody } from "../../connectionFailure.ts"

/** Why a run cannot start or continue, in a sentence that says what to do. */
export class CannotPlay extends Error {
  override readonly name = "CannotPlay"
}

/** A request. */
export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** With the query. */
  readonly path: string
  /** The API key; undefined sends none. */
  readonly key?: string | undefined
  readonly body?: unknown
  readonly headers?: { readonly [name: string]: string }
}

/** A response with any status. */
export interface HttpReply {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly text: string
  /** The body as JSON; undefined if it is not JSON. */
  readonly json: unknown
  readonly duration_ms: number
}

/** Moves of the clock run all due work, and receivers may hang meanwhile. */
const PATIENCE = 120_000
const ATTEMPTS = 5
const PAUSE = 200

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Whether a second attempt cannot repeat an effect of the first. */
const isRepeatable = ({ headers, method }: HttpRequest): boolean =>
  method !== "POST" || headers?.["Idempotency-Key"] !== undefined

/** Sends HTTP requests to one base URL, and shows keys, bodies and responses unchanged. */
export class HttpConnection {
  readonly url: string
  /** How many requests were sent. */
  requests = 0
  /** Whether any request was ever answered: only then it is worth waiting for the service. */
  #answered = false
  readonly #agent = new Agent({
    connections: 64,
    headersTimeout: PATIENCE,
    bodyTimeout: PATIENCE,
    connect: { timeout: 5_000 },
  })

  /** `url` without a slash at its end. */
  constructor(url: string) {
    this.url = url
  }

  /**
   * Sends a request. If its connection breaks, it is retried if that is harmless; otherwise the
   * outcome is unknown, and the result is undefined. Throws `CannotPlay` if nobody answers.
   */
  async send(asked: HttpRequest): Promise<HttpReply | undefined> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const reply = await this.#once(asked)
        this.#answered = true
        return reply
      } catch (error) {
        if (!isRepeatable(asked) && !reachedNobody(error)) {
          return undefined
        }
        if (attempt >= ATTEMPTS || !this.#answered) {
          throw new CannotPlay(
            `${this.url} does not answer ${asked.method} ${asked.path}: ${nameOf(error)}. ` +
              `Start the service, or give --url its address.`,
            { cause: error },
          )
        }
        await new Promise((resolve) => setTimeout(resolve, attempt * PAUSE))
      }
    }
  }

  close(): Promise<void> {
    return this.#agent.destroy()
  }

  async #once({ body, headers, key, method, path }: HttpRequest): Promise<HttpReply> {
    this.requests += 1
    const started = performance.now()
    const answer = await request(`${this.url}${path}`, {
      dispatcher: this.#agent,
      method,
      headers: {
        Accept: "application/json",
        ...(key !== undefined && { Authorization: `Bearer ${key}` }),
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    })
    const text = await answer.body.text()
    const named = Object.entries(answer.headers).map(([name, value]) => [name, String(value)])
    return {
      status: answer.statusCode,
      headers: Object.fromEntries(named) as HttpReply["headers"],
      text,
      json: parse(text),
      duration_ms: performance.now() - started,
    }
  }
}
