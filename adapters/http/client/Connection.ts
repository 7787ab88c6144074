import { sleep, unlessAborted } from "./abortable.ts"
import { ConnectionFailed, errorOf, PayportError } from "./PayportError.ts"
import { MOST_OF_REFUSAL, readText } from "./readBytes.ts"
import { discard } from "./readJson.ts"
import type { ClientOptions, RequestOptions } from "./RequestOptions.ts"

/** A request without its key. */
export interface Call {
  readonly verb: string
  /** The path from the root, with the query. */
  readonly path: string
  /** The body as JSON, if any. */
  readonly body?: string
  /** The accepted media type; JSON by default. */
  readonly accept?: string
  readonly options: RequestOptions
}

/** The result of one attempt: the answer, or the error. */
type Outcome<A> = { readonly answer: A } | { readonly error: PayportError }

/** The pauses before the second, third and fourth attempt, in milliseconds (Errors). */
const BACKOFF = [1_000, 2_000, 4_000]
/** The random share added to a pause, so that callers do not return at the same time. */
const JITTER = 0.25
const RETRIES = 3
const MAX_RETRY_AFTER = 60_000
const TIMEOUT = 30_000

/** Whether the request can be repeated safely: every POST has an `Idempotency-Key`. */
const isRepeatable = ({ verb }: Call): boolean => verb !== "PATCH"

/** Whether a proxy says that the service behind it has not answered, as during a restart. */
const isGateways = ({ code, status }: PayportError): boolean =>
  code === "UNEXPECTED_ANSWER" && (status === 502 || status === 504)

const isWorthRepeating = (call: Call, error: PayportError): boolean => {
  const { retry_after, status } = error
  if (status === 429) return true
  const busy = status === 503 || (status === 409 && retry_after !== undefined)
  // A request that did not arrive in time may do so now.
  return (busy || status === 408 || isGateways(error)) && isRepeatable(call)
}

/** Returns the innermost reason of a failed `fetch`, whose own message says nothing. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return reasonOf(error.cause)
  // An error of several addresses has a code alone.
  return error.message === "" && "code" in error ? String(error.code) : error.message
}

/** A redirect is not followed: the key would go elsewhere, and a POST would become a GET. */
const redirected = ({ headers, status }: Response, root: string): PayportError => {
  const said = headers.get("Location")
  const to = said === null ? null : URL.parse(said, root)
  const where = to === null || to.origin === "null" ? "elsewhere" : `to ${to.origin}`
  const own = to?.pathname.slice(0, 64)
  const message =
    to?.origin === new URL(root).origin
      ? `${root} redirects to its own ${own}, which is not followed. Check the path of baseUrl, ` +
        "and whether a proxy before the service asks for a login."
      : `${root} redirects ${where}, which is not followed. Set baseUrl to the service's URL.`
  return new PayportError({ status, code: "UNEXPECTED_ANSWER", category: "unknown", message })
}

/** Returns the key if a header accepts it. Otherwise the header's error would contain the key. */
const keyOf = (given: string): string => {
  const key = typeof given === "string" ? given.trim() : "\n"
  if (/^[\x21-\x7e]*$/.test(key)) return key
  throw new TypeError(
    "apiKey has to be an API key: a string of visible ASCII characters, without Bearer.",
  )
}

/** Returns the URL without a slash at its end. `localhost:4020` alone would be a URL, too. */
const rootOf = (given: string): string => {
  const url = typeof given === "string" ? URL.parse(given) : null
  if (url !== null && /^https?:$/.test(url.protocol)) return url.href.replace(/\/+$/, "")
  throw new TypeError("baseUrl has to be a URL such as http://127.0.0.1:4020.")
}

/** Refuses what is no number: with it, a time would be over at once, or retries never end. */
const checkNumbers = ({ maxRetryAfter, retries, timeout }: RequestOptions): void => {
  for (const [name, given] of Object.entries({ maxRetryAfter, retries, timeout })) {
    if (given !== undefined && !(given >= 0)) {
      throw new TypeError(`${name} has to be a number from 0, not ${given}.`)
    }
  }
}

const idempotencyKeyOf = ({ idempotencyKey }: RequestOptions): string => {
  if (idempotencyKey === undefined) return crypto.randomUUID()
  if (/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) return idempotencyKey
  throw new TypeError("idempotencyKey has to be 1 to 255 visible ASCII characters.")
}

/** The longest delay of a timer. A timer with a longer delay fires at once. */
const LONGEST = 2 ** 31 - 1

/** Waits before another attempt: longer after each, and `atLeast` so many seconds. */
export const pause = (attempt: number, atLeast: number, signal: AbortSignal | undefined) => {
  const wait = Math.max(BACKOFF[Math.min(attempt, BACKOFF.length - 1)] ?? 0, atLeast * 1_000)
  return sleep(Math.min(LONGEST, Math.ceil(wait * (1 + Math.random() * JITTER))), signal)
}

/** Returns a promise that also rejects if the other has no outcome within that time. */
const unlessLate = async <A>(promise: Promise<A>, milliseconds: number): Promise<A> => {
  const late = new AbortController()
  const reason = new Error(`\`rotate\` has not returned a key within ${milliseconds} ms.`)
  const timer = setTimeout(() => late.abort(reason), Math.min(milliseconds, LONGEST))
  try {
    return await unlessAborted(promise, late.signal)
  } finally {
    clearTimeout(timer)
  }
}

const noOtherKey = (cause: unknown, isLost: boolean): PayportError =>
  new PayportError({
    status: 401,
    isLost,
    code: "INVALID_API_KEY",
    category: "authentication_error",
    message: `The API key could not be renewed: ${String(cause)}`,
  })

/**
 * Sends requests under a key. Asks for unknown fields to be refused, and adds an `Idempotency-Key`
 * to every POST. Repeats after 408, 429, 503, a proxy's 502 and 504, and broken connections with
 * pauses, and once after a 401 if `rotate` fetches another key.
 */
export class Connection {
  readonly #options: ClientOptions
  readonly #root: string
  #key: string
  #rotating: Promise<void> | undefined

  constructor(options: ClientOptions) {
    checkNumbers(options)
    this.#options = options
    this.#root = rootOf(options.baseUrl)
    this.#key = keyOf(options.apiKey)
  }

  /** Returns how often a request is repeated. */
  retriesOf({ options }: Call): number {
    return options.retries ?? this.#options.retries ?? RETRIES
  }

  /**
   * Sends a request, repeats it if that may help, and reads its response. Rejects with
   * `PayportError` for a refusal or an unexpected answer, and with `ConnectionFailed` without one.
   */
  async send<A>(call: Call, read: (response: Response) => Promise<A>): Promise<A> {
    checkNumbers(call.options)
    const { maxRetryAfter = this.#options.maxRetryAfter ?? MAX_RETRY_AFTER, signal } = call.options
    const retries = this.retriesOf(call)
    const idempotencyKey = idempotencyKeyOf(call.options)
    let rotated = false
    let isLost = false
    for (let attempt = 0; ; attempt++) {
      const last = attempt >= retries
      const used = this.#key
      const outcome: Outcome<A> | ConnectionFailed = await this.#attempt(
        call,
        idempotencyKey,
        read,
        isLost,
      )
      if (outcome instanceof ConnectionFailed) {
        if (last || !isRepeatable(call)) throw outcome
        isLost = true
        await pause(attempt, 0, signal)
        continue
      }
      if ("answer" in outcome) return outcome.answer
      const { error }: { readonly error: PayportError } = outcome
      const { rotate } = this.#options
      if (error.status === 401 && rotate !== undefined && !rotated) {
        rotated = true
        if (this.#key === used) await this.#rotate(rotate, call.options, isLost)
        continue
      }
      const atLeast: number = error.retry_after ?? 0
      const isTooLong = atLeast * 1_000 > maxRetryAfter
      if (last || isTooLong || !isWorthRepeating(call, error)) throw error
      isLost = error.may_have_acted
      await pause(attempt, atLeast, signal)
    }
  }

  /** Fetches another key once for all waiting requests. */
  async #rotate(
    rotate: () => Promise<string>,
    { signal, timeout = this.#options.timeout ?? TIMEOUT }: RequestOptions,
    isLost: boolean,
  ): Promise<void> {
    try {
      this.#rotating ??= unlessLate(rotate(), timeout)
        .then((key) => void (this.#key = keyOf(key)))
        .finally(() => (this.#rotating = undefined))
      await unlessAborted(this.#rotating, signal)
    } catch (cause) {
      signal?.throwIfAborted()
      throw noOtherKey(cause, isLost)
    }
  }

  async #attempt<A>(
    call: Call,
    idempotencyKey: string,
    read: (response: Response) => Promise<A>,
    isLost: boolean,
  ): Promise<Outcome<A> | ConnectionFailed> {
    const { signal, timeout = this.#options.timeout ?? TIMEOUT } = call.options
    signal?.throwIfAborted()
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), Math.min(timeout, LONGEST))
    const { fetch = globalThis.fetch } = this.#options
    try {
      const response = await fetch(`${this.#root}${call.path}`, {
        method: call.verb,
        headers: this.#headers(call, idempotencyKey),
        redirect: "manual",
        signal: signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
        ...(call.body !== undefined && { body: call.body }),
      })
      const { headers, status } = response
      // A browser hides the status of a redirect.
      if (status === 0 || (status >= 300 && status < 400)) {
        discard(response)
        throw redirected(response, this.#root)
      }
      if (status < 400) return { answer: await read(response) }
      const said = await readText(response, MOST_OF_REFUSAL)
      return { error: errorOf(status, headers, said ?? "", isLost) }
    } catch (cause) {
      signal?.throwIfAborted()
      if (cause instanceof PayportError) throw cause
      return late.signal.aborted
        ? new ConnectionFailed("TIMED_OUT", `No response within ${timeout} ms.`, cause)
        : new ConnectionFailed(
            "CONNECTION_FAILED",
            `No response from ${this.#root}: ${reasonOf(cause)}.`,
            cause,
          )
    } finally {
      clearTimeout(timer)
    }
  }

  #headers(call: Call, idempotencyKey: string): { readonly [name: string]: string } {
    return {
      Authorization: `Bearer ${this.#key}`,
      Accept: call.accept ?? "application/json",
      Prefer: "handling=strict",
      ...(call.verb === "POST" && { "Idempotency-Key": idempotencyKey }),
      ...(call.body !== undefined && { "Content-Type": "application/json" }),
    }
  }
}
