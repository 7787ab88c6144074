import type { Answered, Meddle, Passing } from "../../simulate/flawedProxy.ts"
import { changed, type Fields, fieldsOf, on, type Parts } from "./subject.ts"

/** A service with one bug, and the checks that have to name it. */
export interface Mutant {
  readonly name: string
  readonly parts: () => Partial<Parts>
  readonly named: ReadonlyArray<string>
  /** Further scenarios that are needed to show the bug. */
  readonly also?: ReadonlyArray<string>
}

/** Routes that have bugs. */
export const CREATE = "POST /v1/payment-intents"
export const READ = "GET /v1/payment-intents/{pi}"
export const CAPTURE = "POST /v1/payment-intents/{pi}/capture"
export const REFUND = "POST /v1/refunds"
export const REGISTER = "POST /v1/webhook-endpoints"

/** Changes successful responses of one route. */
export const says = (route: string, change: (fields: Fields) => Fields) => () => ({
  api: on(route, async (passing, pass) => changed(await pass(passing), change)),
})

/** Changes a payment wherever one is answered. */
export const shows = (change: (fields: Fields) => Fields) => () => ({
  api: (async (passing, pass) => {
    const answer = await pass(passing)
    const isPayment = passing.path.startsWith("/v1/payment-intents")
    return isPayment ? changed(answer, change) : answer
  }) satisfies Meddle,
})

/** Changes the requests to one route. */
export const asks = (route: string, change: (fields: Fields) => Fields) => () => ({
  api: on(route, (passing, pass) =>
    pass({ ...passing, body: JSON.stringify(change(fieldsOf(passing.body))) }),
  ),
})

/** Changes responses with that error code. */
export const refuses =
  (code: string, otherwise: (answer: Answered, passing: Passing) => Answered) => () => ({
    api: (async (passing, pass) => {
      const answer = await pass(passing)
      const isOne = answer.status >= 400 && answer.text.includes(`"${code}"`)
      return isOne ? otherwise(answer, passing) : answer
    }) satisfies Meddle,
  })

/** Returns a time so many minutes later. */
export const minutes = (time: unknown, count: number): string =>
  new Date(Date.parse(String(time)) + count * 60_000).toISOString()

/** A request without one of its headers. */
export const withoutHeader = (passing: Passing, name: string): Passing => ({
  ...passing,
  headers: Object.fromEntries(Object.entries(passing.headers).filter(([key]) => key !== name)),
})

/** An amount of a body. */
export const moneyOf = (value: unknown) =>
  value as { readonly currency: string; readonly value: number }

/** Increases an amount. */
export const more = (value: unknown, by: number) => {
  const money = moneyOf(value)
  return { ...money, value: money.value + by }
}

/** Keeps answers under something of the request, and says them again. */
export const keeping = (nameOf: (passing: Passing) => string | undefined): Meddle => {
  const kept = new Map<string, Answered>()
  return async (passing, pass) => {
    const name = passing.method === "POST" ? nameOf(passing) : undefined
    const known = name === undefined ? undefined : kept.get(name)
    if (known !== undefined) return known
    const answer = await pass(
      name === undefined ? passing : withoutHeader(passing, "idempotency-key"),
    )
    if (name !== undefined && answer.status < 300) kept.set(name, answer)
    return answer
  }
}

/** Returns a request's Idempotency-Key. */
export const keyOf = ({ headers }: Passing): string | undefined => headers["idempotency-key"]
