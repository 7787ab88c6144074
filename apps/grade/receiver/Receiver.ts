import { makeChance } from "../Chance.ts"
import { makePatiently } from "../patience.ts"
import { CannotGrade } from "../runChecks.ts"
import { type Answer, openTarget, reach } from "../Target.ts"
import { type Delivery, type Family, makeSender, type Sender } from "./Sender.ts"

/** How a receiver is configured, and how it is called. */
export interface ReceiverOptions {
  readonly url: URL
  readonly secret: string
  /** A secret that the receiver accepts besides the new one. */
  readonly oldSecret: string | undefined
  /** A secret that it no longer accepts. */
  readonly retiredSecret: string | undefined
  /** Public keys in base64 whose secret keys it has. */
  readonly encryptionKey: string | undefined
  readonly oldEncryptionKey: string | undefined
  /** The URL that lists the ids of the processed events, in order. */
  readonly effects: URL | undefined
  readonly as: Family
  /** The time limit of a response, and of all effects together, in milliseconds. */
  readonly within: number
  readonly effectsWithin: number
  readonly seed: string
}

/** The effects of events, or why they are unknown. */
export type Effects =
  | { readonly type: "known"; readonly times: (id: string) => number }
  | { readonly type: "unknown"; readonly why: string }

/** A receiver to be graded. */
export interface Receiver {
  readonly options: ReceiverOptions
  readonly sender: Sender
  /** Posts a delivery and waits for the answer, `within` by default. */
  readonly post: (delivery: Delivery, patience?: number) => Promise<Answer>
  /** Posts what must be refused; again if it is put off (429). */
  readonly postWrong: (delivery: Delivery) => Promise<Answer>
  /** The events that checks have sent, by check, for later checks. */
  readonly sent: Map<string, ReadonlyArray<string>>
  /**
   * Waits until all of these events have had an effect, and the first time also for late effects;
   * at most `effectsWithin` in total.
   */
  readonly effects: (awaited: ReadonlyArray<string>) => Promise<Effects>
  /** How long the first response took, in milliseconds. */
  first: number
  readonly close: () => Promise<void>
}

/** A time six minutes ahead must still be refused after the wait, five minutes being allowed. */
const WAITS = { each: 50_000, all: 60_000 }

const UNSEEN =
  "the answers say only that it took a delivery, not what it did: --effects URL would show it"

/** The longest list of effects, in bytes: some 400,000 ids. */
const MOST = 16_777_216

const POLL = 100
/** A repeated effect follows soon, within so many milliseconds. */
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
    // It is rejected below, like any other response.
  }
  if (Buffer.byteLength(answer.text) >= MOST) {
    throw new CannotGrade(`${wanted}, and with ${MOST} bytes at most: drop the oldest.`)
  }
  throw new CannotGrade(`${wanted}, not with ${JSON.stringify(answer.text.slice(0, 80))}.`)
}

/** Opens a receiver. Rejects with `CannotGrade` if nobody listens there. */
export const openReceiver = async (
  options: ReceiverOptions,
  signal: AbortSignal,
): Promise<Receiver> => {
  const { as, effects, secret, seed, url } = options
  await reach(url, signal)
  const target = openTarget([url, ...(effects === undefined ? [] : [effects])], signal)
  const read = async (from: URL): Promise<ReadonlyArray<string>> =>
    idsOf(await target.send({ method: "GET", url: from, headers: {} }, undefined, MOST), from)
  let [polls, isSettled] = [0, false]
  const patiently = makePatiently(WAITS, signal)
  const post: Receiver["post"] = (delivery, patience = options.within) =>
    target.send({ method: "POST", url, ...delivery }, patience)
  return {
    options,
    sender: makeSender(secret, as, makeChance(seed)),
    post,
    postWrong: (delivery) => patiently(() => post(delivery)),
    sent: new Map(),
    first: 0,
    effects: async (awaited) => {
      if (effects === undefined) return { type: "unknown", why: UNSEEN }
      for (; polls * POLL < options.effectsWithin && !signal.aborted; polls += 1) {
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
