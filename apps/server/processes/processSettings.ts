import { Effect } from "effect"
import { availableParallelism } from "node:os"
import { read, variable } from "../variables.ts"

const MOST = 64

/** More processes than this are only started if set explicitly: each takes some 200 MB. */
const MOST_UNASKED = 8

/** The variable of the number of processes, for the help. */
export const processVariables = {
  processes: variable(
    "PAYPORT_PROCESSES",
    `how many processes answer on the port, from 1 to ${MOST}`,
    `1 in the sandbox; half of the cores in live mode, ${MOST_UNASKED} at most`,
    (text) => (/^[1-9]\d?$/.test(text) && Number(text) <= MOST ? Number(text) : undefined),
  ),
}

/**
 * Returns the default number of processes that answer. The other half of the cores is for the
 * database and the worker. On two cores, a second process takes from the database what it gives.
 */
export const usualProcesses = (mode: "sandbox" | "live", cores: number): number =>
  mode === "sandbox" ? 1 : Math.min(MOST_UNASKED, Math.max(1, Math.floor(cores / 2)))

/** Reads how many processes answer. */
export const readProcesses = (mode: "sandbox" | "live") =>
  Effect.map(
    read(processVariables.processes),
    (number = usualProcesses(mode, availableParallelism())) => number,
  )
