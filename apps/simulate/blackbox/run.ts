import { randomBytes } from "node:crypto"
import { drawScript } from "../../../simulator/drawScript.ts"
import { isSound } from "../../../simulator/Report.ts"
import { callWith, choiceArguments } from "../again.ts"
import { makeProgress } from "../progress.ts"
import { scenarioOf } from "../scenarioOf.ts"
import { CannotPlay } from "./HttpConnection.ts"
import type { BlackboxRun } from "./options.ts"
import { CutShort, playBlackbox } from "./playBlackbox.ts"
import { notesOf, printOutcome, reportOf } from "./reportOf.ts"

/** The default number of payments, unless the command or a small scenario says otherwise. */
const USUAL = 100

/** In minor units: within the limit of one payment, and less than the day's whole limit. */
const SMALL = { least: 1, most: 5_000 }

/** The exit code of a shell for an interrupted program. */
const INTERRUPTED = 130

/** Plays until the signal. */
const playOnce = async (options: BlackboxRun, signal: AbortSignal): Promise<number> => {
  const { keys, receiver_port, receiver_url, seed, url } = options
  const { scenario } = scenarioOf(options)
  const intents = options.intents ?? Math.min(scenario.payments, USUAL)
  // Payers who are verified only by a code may not pay much.
  const small = keys.type === "operator" ? {} : { amount: scenario.amount ?? SMALL }
  const script = drawScript({ seed, scenario: { ...scenario, ...small }, intents })
  const progress = makeProgress(intents, "payments", (text) => process.stderr.write(text))
  const started = performance.now()
  const { ended, played } = await playBlackbox({
    signal,
    url,
    keys,
    script,
    receiver_port,
    ...(receiver_url !== undefined && { receiver_url }),
    run: randomBytes(4).toString("hex"),
    onProgress: (done) => {
      if (done < intents) progress.tell(done)
      else progress.say("All payments are made; the clock is moved on until everything rests.")
    },
  })
    .then((whole) => ({ played: whole, ended: undefined }))
    .catch((error: unknown) => {
      if (!(error instanceof CutShort)) throw error
      return { played: error.played, ended: error.message }
    })
    .finally(() => progress.end())
  if (ended !== undefined) process.stderr.write(`${ended}\n`)
  const wall_ms = performance.now() - started
  const report = reportOf(played, script)
  const notes = notesOf(played, script)
  const wanted = options.scenario ?? scenario.name
  // The keys must not be shown.
  const again = callWith(
    "--url",
    url,
    "--scenario",
    wanted,
    ...choiceArguments(options),
    "--seed",
    seed,
    "--payments",
    intents,
  )
  const outside = { report, about: scenario.about, notes, wall_ms, url, again, cut_short: ended }
  printOutcome(outside, options)
  if (!isSound(report)) return 1
  if (ended === undefined) return 0
  return signal.aborted ? INTERRUPTED : 1
}

/** Plays a scenario against a service and prints the result. Returns the exit code. */
export const runBlackbox = async (options: BlackboxRun): Promise<number> => {
  const ending = new AbortController()
  const stop = () => {
    if (ending.signal.aborted) process.exit(INTERRUPTED)
    ending.abort()
  }
  process.on("SIGINT", stop)
  process.on("SIGTERM", stop)
  try {
    return await playOnce(options, ending.signal)
  } catch (error) {
    if (!ending.signal.aborted || !(error instanceof CannotPlay)) throw error
    process.stderr.write(`${error.message}\n`)
    return INTERRUPTED
  }
}
