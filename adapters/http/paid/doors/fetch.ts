import { type Check, JSON_TYPE, type Paid, type Refusal, refuse } from "../Verdict.ts"
import { type Hold, isServed, serving } from "./serving.ts"

type Handle = (payment: Paid) => Response | Promise<Response>

const respond = ({ body, headers, status }: Refusal): Response =>
  new Response(JSON.stringify(body), { status, headers: { "Content-Type": JSON_TYPE, ...headers } })

/** Returns the answer with these headers. One that was fetched elsewhere has immutable ones. */
const telling = (
  { headers: own, status, statusText }: Response,
  told: { readonly [name: string]: string },
  body: ReadableStream | null,
): Response => {
  const headers = new Headers(own)
  for (const [name, value] of Object.entries(told)) headers.set(name, value)
  return new Response(body, { status, statusText, headers })
}

/** Resolves once what is there already has been read. */
const soon = () =>
  new Promise<false>((resolve) => {
    setTimeout(resolve, 0, false)
  })

/**
 * Passes a body on, and charges for it when it ends, or when its reader cancels it or reads no
 * further. `isWhole` says whether the body was there at once; then it can be charged first.
 */
const passOn = (
  body: ReadableStream<Uint8Array>,
  hold: Hold,
  over: { cut: () => void; isSent: boolean },
) => {
  const source = body.getReader()
  const ahead = [source.read(), source.read()]
  const isEnded = Promise.all(ahead).then(
    (chunks) => chunks.some(({ done }) => done),
    () => false,
  )
  const passed = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        over.cut = () => {
          controller.error(new Error("The payment's time is over."))
          source.cancel().catch(() => {})
        }
      },
      pull: async (controller) => {
        try {
          const { done, value } = await (ahead.shift() ?? source.read())
          if (done) {
            await hold.finish(true)
            controller.close()
          } else {
            over.isSent = true
            controller.enqueue(value)
          }
        } catch (error) {
          void hold.breakOff(over.isSent)
          controller.error(error)
        }
      },
      cancel: async (reason) => {
        const finished = hold.breakOff(over.isSent)
        await source.cancel(reason)
        await finished
      },
    },
    { highWaterMark: 0 },
  )
  return { passed, isWhole: () => Promise.race([isEnded, soon()]) }
}

/** Returns the answer. Throws for one that cannot be sent, as for a handler that fails. */
const sendable = (answer: Response | undefined): Response => {
  const isOne = answer !== undefined && answer.status > 0
  if (isOne && !answer.bodyUsed && answer.body?.locked !== true) return answer
  throw new TypeError("The handler has returned no Response, or one that cannot be sent.")
}

/** Answers by the handler, and charges the used amount. */
const serveHeld = async (
  headers: { readonly [name: string]: string },
  hold: Hold,
  handle: () => Response | Promise<Response>,
): Promise<Response> => {
  let isOver = false
  const over = { isSent: false, cut: () => void (isOver = true) }
  hold.watch(
    () => over.isSent,
    () => over.cut(),
  )
  let answer: Response
  try {
    answer = sendable(await handle())
  } catch (error) {
    await hold.finish(false)
    throw error
  }
  const { body, status } = answer
  if (isOver) {
    await body?.cancel()
    const message = "The payment's time was over before the answer. Nothing was charged."
    return respond(refuse("TEMPORARILY_UNAVAILABLE", message))
  }
  if (body === null || !isServed(status)) {
    return telling(answer, { ...headers, ...(await hold.finish(isServed(status))) }, body)
  }
  const { isWhole, passed } = passOn(body, hold, over)
  const told = (await isWhole()) ? await hold.finish(true) : {}
  return telling(answer, { ...headers, ...told }, passed)
}

/**
 * Answers a request of the fetch API by `handle` once it is paid. `client` identifies the caller
 * for the limit of unpaid requests, such as by its address, which the request does not have.
 * Without it, only the limit for all callers together applies.
 */
export const onFetch =
  (check: Check) =>
  async (request: Request, handle: Handle, client?: string): Promise<Response> => {
    const { headers: sent, method, url } = request
    const verdict = await check({ method, url, headers: sent, ...(client && { client }) })
    if (!verdict.paid) return respond(verdict)
    const { hold, payment } = serving(verdict)
    if (hold !== undefined) return serveHeld(verdict.headers, hold, async () => handle(payment))
    const answer = await handle(payment)
    return telling(answer, verdict.headers, answer.body)
  }
