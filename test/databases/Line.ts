import { deserialize, serialize } from "node:v8"

/**
 * The line's state: no question yet, a question waits, it is answered, or the other thread has
 * ended.
 */
const TURNS = { idle: 0, asked: 1, answered: 2, gone: 3 } as const

/** The places of the state and of the message's length. */
const TURN = 0
const LENGTH = 1

const FIRST = 1_048_576
const MOST = 512 * FIRST

/** The longest that the asking thread is blocked, in milliseconds. */
const LONGEST = 60_000

/** How long the answering thread blocks for the next question before its event loop runs. */
const PATIENCE = 5

/** Memory that two threads share: one asks and is blocked until the other has answered. */
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

/** Returns the last message as a value that shares no memory with the line. */
const hear = ({ bytes, control }: Line): unknown =>
  deserialize(Buffer.from(new Uint8Array(bytes, 0, control[LENGTH])))

/**
 * Asks and returns the other thread's answer. Throws if that thread has ended, or does not answer
 * for a minute.
 */
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
 * Answers the other thread's questions as long as this thread lives. It blocks between two
 * questions, since waking an event loop takes longer.
 */
export const answerAll = (line: Line, answer: (question: unknown) => Promise<unknown>): void => {
  const { control } = line
  let reason = "it was stopped"
  process.on("uncaughtExceptionMonitor", (error) => (reason = error.stack ?? error.message))
  process.once("exit", () => say(line, "gone", reason))
  const next = (): void => {
    const turn = Atomics.load(control, TURN)
    // A wake-up may be for a question that was answered already.
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
