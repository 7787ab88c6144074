import type { Command } from "../../../../simulator/live/Control.ts"
import type { Frame } from "../../../../simulator/live/Frame.ts"
import type { PaymentStory } from "../../../../simulator/live/LiveWorld.ts"
import type { Offer } from "../../../../adapters/pages/console/world/LiveWorlds.ts"
import { errorOf, type PayportError } from "../../../../adapters/http/client/PayportError.ts"
import { ownFetch, root } from "../data/session.ts"
import { readEvents } from "../../../../adapters/pages/console/world/streamEvents.ts"

const pathOf = (path: string): string => `${root()}/console/worlds${path}`

const refusal = async (response: Response): Promise<PayportError> =>
  errorOf(response.status, response.headers, await response.text())

const send = async (method: string, path: string, body?: object): Promise<Response> => {
  const response = await ownFetch(pathOf(path), {
    method,
    ...(body !== undefined && {
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    }),
  })
  if (!response.ok) throw await refusal(response)
  return response
}

const json = async <A>(asked: Promise<Response>): Promise<A> => (await (await asked).json()) as A

export interface Wish {
  readonly scenario: string
  readonly seed: number
  readonly payments: number
}

export const offered = (): Promise<Offer> => json(send("GET", ""))

export const begin = (wish: Wish): Promise<{ readonly id: string }> => json(send("POST", "", wish))

export const command = async (id: string, wanted: Command): Promise<void> => {
  await send("POST", `/${id}/commands`, { command: wanted })
}

export const storyOf = (id: string, payment: string): Promise<PaymentStory> =>
  json(send("GET", `/${id}/payments/${payment}`))

export const fileOf = async (id: string): Promise<Blob> => (await send("GET", `/${id}/file`)).blob()

/** Receives the messages of a world. */
interface Hearer {
  readonly frame: (frame: Frame) => void
  /** Called with the reason when the world sends no more. */
  readonly ended: (why: string) => void
}

/** Follows a world until it ends or the signal aborts. Throws if the stream breaks. */
export const follow = async (id: string, hearer: Hearer, signal: AbortSignal): Promise<void> => {
  const response = await ownFetch(pathOf(`/${id}/stream`), { signal })
  if (!response.ok || response.body === null) throw await refusal(response)
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ""
  for (;;) {
    const { done, value } = await reader.read()
    if (done) throw new Error("The stream was cut.")
    const { events, rest } = readEvents(text + value)
    text = rest
    for (const { data, event } of events) {
      if (event === "ended") return hearer.ended(data)
      hearer.frame(JSON.parse(data) as Frame)
    }
  }
}
