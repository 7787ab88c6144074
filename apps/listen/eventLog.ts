import { Schema } from "effect"
import { type Dispatcher, request } from "undici"
import { nameOf } from "../connectionFailure.ts"

/** The log cannot be followed, permanently; the message is a sentence. */
export class CannotListen extends Error {
  override readonly name = "CannotListen"
}

/** The service does not answer properly at the moment; the message has no full stop. */
export class Unavailable extends Error {
  override readonly name = "Unavailable"
}

const LoggedEvent = Schema.Struct({
  id: Schema.String,
  type: Schema.String,
  data: Schema.Record(Schema.String, Schema.Unknown),
  created_at: Schema.String,
})

/** An event as the log shows it. */
export type LoggedEvent = typeof LoggedEvent.Type

const Page = Schema.Struct({ data: Schema.Array(LoggedEvent), has_more: Schema.Boolean })

/** A page of the log, the newest event first. */
export type Page = typeof Page.Type

const decodePage = Schema.decodeUnknownPromise(Page)

const LIMIT = 100
const TIMEOUT = 10_000

/** The account's log at a service. */
interface LogOptions {
  readonly url: string
  readonly key: string
  readonly dispatcher: Dispatcher
  readonly signal: AbortSignal
}

const refusal = (url: string, status: number): Error => {
  if (status === 401) {
    return new CannotListen(`${url} refuses this key. Set --key to a valid API key of the account.`)
  }
  if (status === 404) {
    return new CannotListen(`${url} has no event log. Is --url the address of a payport service?`)
  }
  return status === 429 || status >= 500
    ? new Unavailable(`${url} answers ${status}`)
    : new CannotListen(`${url} refuses to show the event log: it answered ${status}.`)
}

/**
 * Reads the page of the log after an event, or the newest. Throws `CannotListen` for permanent
 * errors and `Unavailable` for temporary ones.
 */
export const readPage = async (
  { dispatcher, key, signal, url }: LogOptions,
  startingAfter: string | undefined,
): Promise<Page> => {
  const after = startingAfter === undefined ? {} : { starting_after: startingAfter }
  const query = new URLSearchParams({ limit: String(LIMIT), ...after }).toString()
  const answering = request(`${url}/v1/events?${query}`, {
    dispatcher,
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
  })
  const answer = await answering.catch((cause: unknown) => {
    throw new Unavailable(`${url} cannot be reached (${nameOf(cause)})`, { cause })
  })
  if (answer.statusCode !== 200) {
    await answer.body.dump().catch(() => undefined)
    throw refusal(url, answer.statusCode)
  }
  return answer.body
    .json()
    .then(decodePage)
    .catch((cause: unknown) => {
      throw new Unavailable(`${url} does not answer with an event log`, { cause })
    })
}
