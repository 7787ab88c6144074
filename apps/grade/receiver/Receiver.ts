import { makeChance } from "../Chance.ts"
import { CannotGrade } from "../runChecks.ts"
import { type Answer, openTarget, reach } from "../Target.ts"
import { type Delivery, type Family, makeSender, type Sender } from "./Sender.ts"

/** What a receiver is set up with, and how it is asked. */
export interface ReceiverOptions {
  readonly url: URL
  readonly secret: string
  /** A secret that the receiver takes beside the new one. */
  readonly oldSecret: string | undefined
  /** A secret that it does not take any more. */
  readonly retiredSecret: string | undefined
  /** Public keys in base64, whose secret keys it has. */
  readonly encryptionKey: string | undefined
  readonly oldEncryptionKey: string | undefined
  /** Lists the ids of the events that were taken, in their order. */
  readonly effects: URL | undefined
  readonly as: Family
  /** How long an answer may take, in milliseconds. */
  readonly within: number
  readonly seed: string
}

/** Which events had which effect, or why nobody knows. */
export type Effects =
  | { readonly type: "known"; readonly times: (id: string) => number }
  | { readonly type: "unknown"; readonly why: string }

/** A receiver that is being graded. */
export interface Receiver {
  readonly options: ReceiverOptions
  readonly sender: Sender
  readonly post: (delivery: Delivery, patience?: number) => Promise<Answer>
  /** Events that checks have sent, by the check's name, for what is asked about them later. */
  readonly sent: Map<string, ReadonlyArray<string>>
  /**
   * Waits until all of these have had an effect, and the first time for what comes late; over all
   * times 5 seconds at most.
   */
  readonly effects: (awaited: ReadonlyArray<string>) => Promise<Effects>
  /** How long the first answer took, in milliseconds. */
  first: number
  readonly close: () => Promise<void>
}

const UNSEEN =
  "the answers say only that it took a delivery, not what it did: --effects URL would show it"

const POLL = 100
const POLLS = 50
/** What is done twice is done again soon. */
const LATE = 300

const pause = (millis: number) => new Promise<void>((resolve) => setTimeout(resolve, millis))

const idsOf = (answer: Answer, url: URL): ReadonlyArray<string> => {
  const wanted = `${url.href} has to answer GET with a JSON array of the ids of taken events`
  if (answer.status !== 200) {
    const seen = answer.status === null ? answer.error : `status ${answer.status}`
    throw new CannotGrade(`${wanted}, not with ${seen}.`)
  }
  try {
    const ids = JSON.parse(answer.text) as unknown
    if (Array.isArray(ids) && ids.every((id) => typeof id === "string")) return ids
  } catch {
    // It is refused below, like any other answer.
  }
  throw new CannotGrade(`${wanted}, not with ${JSON.stringify(answer.text.slice(0, 80))}.`)
}

/** Opens a receiver. Rejects with `CannotGrade` where nobody listens there. */
export const openReceiver = async (
  options: ReceiverOptions,
  signal: AbortSignal,
): Promise<Receiver> => {
  const { as, effects, secret, seed, url } = options
  await reach(url, signal)
  const target = openTarget([url, ...(effects === undefined ? [] : [effects])], signal)
  const read = async (from: URL): Promise<ReadonlyArray<string>> =>
    idsOf(await target.send({ method: "GET", url: from, headers: {} }), from)
  let [polls, isSettled] = [0, false]
  return {
    options,
    sender: makeSender(secret, as, makeChance(seed)),
    post: (delivery, patience) => target.send({ method: "POST", url, ...delivery }, patience),
    sent: new Map(),
    first: 0,
    effects: async (awaited) => {
      if (effects === undefined) return { type: "unknown", why: UNSEEN }
      for (; polls < POLLS && !signal.aborted; polls += 1) {
        const ids = new Set(await read(effects))
        if (awaited.every((id) => ids.has(id))) break
        await pause(POLL)
      }
      if (!isSettled) await pause(LATE)
      isSettled = true
      if (signal.aborted) return { type: "unknown", why: "the run ended" }
      const ids = await read(effects)
      return { type: "known", times: (id) => ids.filter((one) => one === id).length }
    },
    close: target.close,
  }
}
