import type { Schema } from "effect"
import type { Control } from "../../simulate/blackbox/Control.ts"
import { CannotGrade } from "../runChecks.ts"
import { said, type Sent, type Target } from "../Target.ts"
import { Advanced, Channels, Inbox } from "./controlShapes.ts"
import { read } from "./Wire.ts"
import { skip } from "./verdicts.ts"

/** A move of the clock runs all due work, and receivers may be slow meanwhile. */
const PATIENCE = 120_000

const NOT_IMPLEMENTED = 501

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** A request to the control interface. */
interface Wanted {
  readonly method: Sent["method"]
  readonly path: string
  readonly body?: object
  readonly key?: string
  readonly undoes?: boolean
}

const caller = (target: Target, base: string, usual: string | undefined) => {
  const ask = async ({ body, key = usual, method, path, undoes = false }: Wanted) => {
    const url = new URL(`${base}${path}`)
    const headers = {
      Accept: "application/json",
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      ...(body !== undefined && { "Content-Type": "application/json" }),
    }
    const text = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await target.send({ method, url, headers, ...text, undoes }, PATIENCE)
    const where = `${method} ${url.pathname}`
    if (answer.status === NOT_IMPLEMENTED) skip(`the control interface has no ${where}`)
    return { answer, where, origin: url.origin }
  }
  return {
    /** Requests something that has to be there. Rejects with `CannotGrade`. */
    get: async <A>(shape: Schema.Decoder<A>, wanted: Wanted): Promise<A> => {
      const { answer, origin, where } = await ask(wanted)
      if (answer.status === null || answer.status >= 300) {
        const why = answer.status === null ? "" : `: ${answer.text.slice(0, 200)}`
        throw new CannotGrade(`${origin} refused ${where} with ${said(answer)}${why}.`)
      }
      const found = read(shape, parse(answer.text))
      if ("found" in found) return found.found
      throw new CannotGrade(`${origin} answered ${where} otherwise than it has to: ${found.flaw}.`)
    },
    /** Requests an action that the service may refuse; the later state shows whether it did. */
    tell: async (wanted: Wanted): Promise<void> => {
      const { answer, origin, where } = await ask(wanted)
      if (answer.status !== null && answer.status < 500) return
      throw new CannotGrade(`${origin} does not do ${where}: ${said(answer)}.`)
    },
  }
}

/** Whether faults are only switched off, as at the end of a run, too. */
const isCalming = (faults: object): boolean =>
  Object.values(faults).every((value) => value === false || value === "automatic")

/** The state of the channels, which is also read at the end of a run, to switch faults off. */
const CHANNELS = { method: "GET", path: "/channels", undoes: true } as const

const timeOf = ({ now }: typeof Advanced.Type): number => Date.parse(now)

const shownOf = ({ data }: typeof Channels.Type) => data.map((one) => ({ faults: {}, ...one }))

const textsOf = ({ data }: typeof Inbox.Type) => data.map(({ text }) => text)

/** The routes of payport's own sandbox, with the key of an account. */
export const ownControl = (target: Target, url: string, director: string): Control => {
  const { get, tell } = caller(target, `${url}/v1/sandbox`, director)
  return {
    advance: async (seconds) =>
      timeOf(await get(Advanced, { method: "POST", path: "/clock/advance", body: { seconds } })),
    simulate: ({ key }, id, action) =>
      tell({
        method: "POST",
        path: `/payment-intents/${id}/simulate`,
        body: { action },
        key,
      }),
    channels: async () => shownOf(await get(Channels, CHANNELS)),
    setFaults: (channel, body) =>
      tell({ method: "PUT", path: `/channels/${channel}/faults`, body, undoes: isCalming(body) }),
    inbox: async ({ key }, id) =>
      textsOf(await get(Inbox, { method: "GET", path: `/messages?verification_id=${id}`, key })),
  }
}

/** The control interface that the README describes. */
export const controlAt = (target: Target, url: string, key: string | undefined): Control => {
  const { get, tell } = caller(target, url, key)
  return {
    advance: async (seconds) =>
      timeOf(await get(Advanced, { method: "POST", path: "/clock", body: { seconds } })),
    simulate: (_, payment_intent, action) =>
      tell({ method: "POST", path: "/simulate", body: { payment_intent, action } }),
    channels: async () => shownOf(await get(Channels, CHANNELS)),
    setFaults: (channel, faults) =>
      tell({
        method: "PUT",
        path: "/faults",
        body: { channel, faults },
        undoes: isCalming(faults),
      }),
    inbox: async (_, id) =>
      textsOf(await get(Inbox, { method: "GET", path: `/inbox?verification_id=${id}` })),
  }
}
