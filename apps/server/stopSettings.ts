import { Effect } from "effect"
import { SECOND } from "../../core/shared/Timestamp.ts"
import { read, variable } from "./variables.ts"

/** How many seconds a live process reports that it stops before it refuses connections. */
const USUAL = 5

/** The variable of the pause, for the help. */
export const stopVariables = {
  stop_pause: variable(
    "PAYPORT_STOP_PAUSE",
    "seconds from 0 to 60 for which /readyz says that the process stops before it takes no more",
    `0 in the sandbox, ${USUAL} in live mode`,
    (text) => (/^\d{1,2}$/.test(text) && Number(text) <= 60 ? Number(text) : undefined),
  ),
}

/** Reads how long a process pauses before it stops, in milliseconds. */
export const readStopPause = (mode: "sandbox" | "live") =>
  Effect.map(
    read(stopVariables.stop_pause),
    (seconds = mode === "live" ? USUAL : 0) => seconds * SECOND,
  )
