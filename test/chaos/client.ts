import { setTimeout as sleep } from "node:timers/promises"
import type { Service } from "../bench/service.ts"

/** A request as one of the demo accounts makes it. */
export interface Request {
  readonly method?: "GET" | "POST" | "PATCH" | "PUT" | "DELETE"
  readonly path: string
  readonly body?: object
  /** Its Idempotency-Key. */
  readonly once?: string
}

/** An answer. Its status is 0 if the connection broke before the end. */
export interface Answer {
  readonly status: number
  readonly text: string
  readonly body: { readonly [field: string]: unknown }
  /** The age that a replica's answer reports, in seconds. */
  readonly age: string | null
}

/** The longest wait for an answer, in milliseconds. */
const PATIENCE = 60_000

const AGE = "payport-data-age"

const answerOf = async (response: Response): Promise<Answer> => {
  const text = await response.text()
  const { headers, status } = response
  return { status, text, body: JSON.parse(text) as Answer["body"], age: headers.get(AGE) }
}

/** Sends a request once. */
export const send = async (
  { buyerKey, sellerKey, url }: Service,
  as: "seller" | "buyer",
  { body, method = "POST", once, path }: Request,
): Promise<Answer> => {
  try {
    return await answerOf(
      await fetch(url + path, {
        method,
        signal: AbortSignal.timeout(PATIENCE),
        headers: {
          Authorization: `Bearer ${as === "seller" ? sellerKey : buyerKey}`,
          ...(body !== undefined && { "Content-Type": "application/json" }),
          ...(once !== undefined && { "Idempotency-Key": once }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    )
  } catch (error) {
    return { status: 0, text: String(error), body: {}, age: null }
  }
}

/** Returns the code of a refusal; empty if there is none. */
export const codeOf = ({ body }: Answer): string => {
  const said = { ...body, ...(body["error"] as object | undefined) } as { readonly code?: string }
  return said.code ?? ""
}

/**
 * Returns a short text to count answers by: the HTTP status with the code or the record's status.
 */
export const said = (answer: Answer): string =>
  answer.status < 300
    ? `${answer.status} ${String(answer.body["status"])}`
    : `${answer.status} ${codeOf(answer)}`.trim()

/** Sends a request that has to succeed, and throws any other answer. */
export const succeed = async (
  service: Service,
  as: "seller" | "buyer",
  request: Request,
): Promise<Answer> => {
  const answer = await send(service, as, request)
  if (answer.status >= 200 && answer.status < 300) return answer
  const asked = `${request.method ?? "POST"} ${request.path}`
  throw new Error(`${asked} was answered ${answer.status}: ${answer.text.slice(0, 500)}`)
}

/** Repeats the request while it is refused temporarily or not answered, at most ten times. */
export const succeedAtLast = async (
  service: Service,
  as: "seller" | "buyer",
  request: Request,
): Promise<Answer> => {
  for (let tries = 1; tries < 10; tries++) {
    const answer = await send(service, as, request)
    if (answer.status >= 200 && answer.status < 300) return answer
    if (!isTemporary(answer)) break
    await sleep(500)
  }
  return succeed(service, as, request)
}

/** Whether the answer asks to retry later. */
export const isTemporary = (answer: Answer): boolean =>
  [0, 408, 503].includes(answer.status) || codeOf(answer) === "IDEMPOTENCY_KEY_IN_PROGRESS"
