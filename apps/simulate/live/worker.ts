import { constants, getPriority, setPriority } from "node:os"
import { parentPort, workerData } from "node:worker_threads"
import { drawScript } from "../../../simulator/drawScript.ts"
import type { Begin, Told } from "./messages.ts"
import { Player } from "./Player.ts"

// A watched world has low priority, so that the service goes first.
const { PRIORITY_BELOW_NORMAL } = constants.priority
if (getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL)

const { bell, wish } = workerData as Begin
if (parentPort !== null) {
  try {
    new Player(drawScript(wish), parentPort, bell).play()
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
    parentPort.postMessage({ type: "broken", message } satisfies Told, [])
  }
}
