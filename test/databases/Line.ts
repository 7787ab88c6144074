import { deserialize, serialize } from "node:v8"

/** Whether there was no question yet, one waits, it was answered, or nobody answers any more. */
const TURNS = { idle: 0, asked: 1, answered: 2, gone: 3 } as const

/** Where it says whose turn it is, and how many bytes were said. */
const TURN = 0
const LENGTH = 1

const FIRST = 1_048_576
const MOST = 512 * FIRST

/** A thread that asks stands still no longer, in milliseconds. */
const LONGEST = 60_000

/** So long the other one stands still for the next question before its event loop has a turn. */
const PATIENCE = 5

/** What two threads share of which one asks, and stands still until the other has answered. */
export interface Line {
  readonly control: Int32Array
  readonly bytes: SharedArrayBuffer
}

export const makeLine = (): Line => ({
  control: new Int32Array(new SharedArrayBuffer(8)),
  bytes: new SharedArrayBuffer(FIRST, { maxByteLength: MOST }),
})

const say = ({ bytes, control }: Line, turn: keyof typeof TURNS, value: unknown): void => {
  const said = serialize(value)
  if (said.length > bytes.byteLength) bytes.grow(Math.min(MOST, 2 * said.length))
  new Uint8Array(bytes).set(said)
  control[LENGTH] = said.length
  Atomics.store(control, TURN, TURNS[turn])
  Atomics.notify(control, TURN)
}

/** What was said last, as a value that shares no memory with the line. */
const hear = ({ bytes, control }: Line): unknown =>
  deserialize(Buffer.from(new Uint8Array(bytes, 0, control[LENGTH])))

/** The other thread's answer. Throws where that has ended, or says nothing for a minute. */
export const ask = (line: Line, question: unknown): unknown => {
  const { control } = line
  if (Atomics.load(control, TURN) !== TURNS.gone) say(line, "asked", question)
  while (Atomics.load(control, TURN) === TURNS.asked) {
    if (Atomics.wait(control, TURN, TURNS.asked, LONGEST) === "timed-out") {
      throw new Error(`The thread of the database says nothing for ${LONGEST} ms.`)
    }
  }
  const heard = hear(line)
  if (Atomics.load(control, TURN) !== TURNS.gone) return heard
  throw new Error(`The thread of the database has ended: ${String(heard)}`)
}

/**
 * Answers what the other thread asks, for as long as this one lives. Between a question and the
 * next it stands still as well: an event loop takes longer to wake up.
 */
export const answerAll = (line: Line, answer: (question: unknown) => Promise<unknown>): void => {
  const { control } = line
  let reason = "it was stopped"
  process.on("uncaughtExceptionMonitor", (error) => (reason = error.stack ?? error.message))
  process.once("exit", () => say(line, "gone", reason))
  const next = (): void => {
    const turn = Atomics.load(control, TURN)
    // Who is woken is not always asked: a call may ring for a question that was answered already.
    const isAsked =
      turn === TURNS.asked ||
      (Atomics.wait(control, TURN, turn, PATIENCE) !== "timed-out" &&
        Atomics.load(control, TURN) === TURNS.asked)
    if (!isAsked) setImmediate(next)
    else {
      void answer(hear(line)).then((said) => {
        say(line, "answered", said)
        next()
      })
    }
  }
  next()
}
