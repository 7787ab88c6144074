import { type Call, Connection } from "./Connection.ts"
import { fromOffset } from "./fromOffset.ts"
import { listing } from "./Listing.ts"
import type { Methods } from "./Methods.ts"
import { afterLast, type ListedPage } from "./Pages.ts"
import { CreationLimitReached, PayportError } from "./PayportError.ts"
import { MOST_OF_ANSWER, readBytes } from "./readBytes.ts"
import { discard } from "./readJson.ts"
import type { ClientOptions, RequestOptions } from "./RequestOptions.ts"
import type { AttemptPaymentInput, QueryInput, Understood } from "./Resources.ts"
import { type Route, ROUTES } from "./routes.ts"
import { watchStates } from "./watchStates.ts"

/** The most payments of each flow that a session creates. */
export interface SessionLimits {
  /**
   * By QR code: `intents.create`, `quotes.pay`, `facilitator.pay`, and payments in words by
   * `language.answer` with `execute`. 3 by default (Limits). No order in words is carried out after
   * them: ask without `execute`, and send its `action`.
   */
  readonly intents?: number
  /**
   * By link: `payments.create`, `payments.attempt`, `invoices.pay` and `subscriptions.create`. By
   * default one, and three more after a rejection or an expiry. What does not count: an attempt
   * that only asks whether a payment is allowed, and an invoice that answers the same payment.
   */
  readonly payments?: number
}

/** A method per route of the service. Make one client for the life of a program. */
export interface Client extends Methods {
  /**
   * Returns the methods for one session of an agent, which may create three payments by QR code and
   * four by link (Limits, client retries). Another creation rejects with `CreationLimitReached`.
   */
  readonly session: (limits?: SessionLimits) => Methods
}

type Fields = { readonly [name: string]: unknown }

const queryOf = (fields: Fields): string => {
  const query = fields as { readonly [name: string]: string | number | boolean | undefined }
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) params.set(name, String(value))
  }
  return params.size === 0 ? "" : `?${params.toString()}`
}

/** Splits a method's arguments: those of the path, the input if there is one, and the options. */
const readArguments = ({ input, path }: Route, given: ReadonlyArray<unknown>) => {
  const left = [...given]
  const filled = path.replaceAll(/:\w+/g, () => {
    const id = left.shift()
    // In a URL, a segment of dots has another meaning, even if it is encoded.
    if (typeof id !== "string" || /^\.{0,2}$/.test(id)) {
      throw new TypeError(`${path} takes an id as a string, not ${String(id)}.`)
    }
    return encodeURIComponent(id)
  })
  const fields = (input === undefined ? {} : (left.shift() ?? {})) as Fields
  const options = (left.shift() ?? {}) as RequestOptions
  return { filled, fields, options }
}

const JSON_TYPE = "application/json"

const unexpected = (status: number, message: string) =>
  new PayportError({ status, code: "UNEXPECTED_ANSWER", category: "unknown", message })

/** Rejects an answer of another media type, which the service has not sent: a proxy has. */
const expectType = (response: Response, expected: string): void => {
  const { headers, status } = response
  const type = headers.get("Content-Type") ?? ""
  if (type.toLowerCase().startsWith(expected)) return
  discard(response)
  const said = type === "" ? "no media type" : JSON.stringify(type.slice(0, 64))
  throw unexpected(status, `The response has ${said} instead of ${expected}.`)
}

const readAnswer =
  (expected: string) =>
  async (response: Response): Promise<unknown> => {
    expectType(response, expected)
    const bytes = await readBytes(response, MOST_OF_ANSWER)
    if (bytes === undefined) throw unexpected(response.status, "The response is over 64 MiB long.")
    if (expected === "image/png") return bytes
    const text = new TextDecoder().decode(bytes)
    if (expected !== JSON_TYPE) return text
    try {
      return JSON.parse(text) as unknown
    } catch {
      throw unexpected(response.status, "The service's response is not JSON.")
    }
  }

/**
 * Whether a repetition found nothing left to delete: an earlier attempt had no answer, and the
 * record is not there, which is what the caller has asked for.
 */
const isDeleted = (error: unknown): error is PayportError =>
  error instanceof PayportError && error.code === "NOT_FOUND" && error.may_have_acted

/**
 * Returns the answer of a deletion that was done before: its path ends with the id, or the refusal
 * names it.
 */
const deletionOf = ({ path }: Route, given: unknown, { details }: PayportError): unknown => {
  const id = path.endsWith("/:id") ? given : (details as Fields | undefined)?.["id"]
  return typeof id === "string" ? { id, deleted: true } : undefined
}

const readEvents = async (response: Response) => {
  expectType(response, "text/event-stream")
  return response.body
}

const methodOf = (connection: Connection, route: Route) => {
  const { accept, cursor, deletes, input, pages, verb } = route
  const read = readAnswer(accept ?? JSON_TYPE)
  return (...given: ReadonlyArray<unknown>): unknown => {
    const { fields, filled, options } = readArguments(route, given)
    const callWith = (query: Fields): Call => ({
      verb,
      path: `${filled}${input === "query" ? queryOf(query) : ""}`,
      options,
      ...(input === "body" && { body: JSON.stringify(fields) }),
      ...(accept !== undefined && { accept }),
    })
    if (accept === "text/event-stream") return watchStates(connection, callWith(fields), readEvents)
    if (deletes === true) {
      return connection.send(callWith(fields), read).catch((error: unknown) => {
        const done = isDeleted(error) ? deletionOf(route, given[0], error) : undefined
        if (done === undefined) throw error
        return done
      })
    }
    if (pages === undefined) return connection.send(callWith(fields), read)
    const ask = (changed: Fields) =>
      connection.send(callWith({ ...fields, ...changed }), read) as Promise<ListedPage>
    return listing(ask, pages === "cursor" ? afterLast(cursor ?? "id") : fromOffset)
  }
}

/** Counts the creations of a session by several methods together, including refused ones. */
const makeLimit = (most: number) => {
  let created = 0
  return <Args extends ReadonlyArray<unknown>, A>(
    create: (...args: Args) => Promise<A>,
    mayCreate: (...args: Args) => boolean = () => true,
    hasCreated: (answer: A) => boolean = () => true,
  ) =>
    async (...args: Args): Promise<A> => {
      if (!mayCreate(...args)) return create(...args)
      if (created >= most) throw new CreationLimitReached(most)
      created += 1
      const answer = await create(...args)
      if (!hasCreated(answer)) created -= 1
      return answer
    }
}

/** Whether an attempt is a payment, and not the question whether it is allowed. */
const isPurchase = ({ description, service_id }: AttemptPaymentInput): boolean =>
  service_id !== undefined || description !== undefined

/** Whether an order in words is carried out, which may be a payment. */
const isOrder = ({ execute }: QueryInput): boolean => execute === true

/** Whether the order in words was a payment, and not a question or another order. */
const hasPaid = ({ intent, result }: Understood): boolean =>
  intent === "pay" && result !== undefined

const MOST_INTENTS = 3
/** One attempt, and three more after a rejection or an expiry. */
const MOST_PAYMENTS = 4

/**
 * Makes a client of the service at `baseUrl`. Its methods reject with `PayportError` for a refusal
 * or an unexpected answer (`UNEXPECTED_ANSWER`), and with `ConnectionFailed` without an answer.
 */
export const makeClient = (options: ClientOptions): Client => {
  const connection = new Connection(options)
  const resources: object = Object.fromEntries(
    Object.entries(ROUTES).map(([resource, routes]) => [
      resource,
      Object.fromEntries(
        Object.entries(routes).map(([name, route]) => [name, methodOf(connection, route)]),
      ),
    ]),
  )
  // The types and the routes are generated from one description.
  const methods = resources as Methods
  const session = ({ intents = MOST_INTENTS, payments = MOST_PAYMENTS }: SessionLimits = {}) => {
    const byQr = makeLimit(intents)
    const byLink = makeLimit(payments)
    const { attempt, create } = methods.payments
    const made = new Set<string>()
    /** An invoice is paid by one payment, however often that is asked for. */
    const isNew = ({ id }: { readonly id: string }): boolean => made.size < made.add(id).size
    return {
      ...methods,
      intents: { ...methods.intents, create: byQr(methods.intents.create) },
      quotes: { ...methods.quotes, pay: byQr(methods.quotes.pay) },
      facilitator: { ...methods.facilitator, pay: byQr(methods.facilitator.pay) },
      language: {
        ...methods.language,
        answer: byQr(methods.language.answer, isOrder, hasPaid),
      },
      payments: { create: byLink(create), attempt: byLink(attempt, isPurchase) },
      invoices: {
        ...methods.invoices,
        pay: byLink(methods.invoices.pay, undefined, isNew),
      },
      subscriptions: {
        ...methods.subscriptions,
        create: byLink(methods.subscriptions.create, undefined, ({ payment }) => isNew(payment)),
      },
    }
  }
  return { ...methods, session }
}
