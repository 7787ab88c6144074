import { constants, getPriority, setPriority } from "node:os"
import { setFlagsFromString } from "node:v8"
import { answer } from "./answer.ts"

// Worlds have low priority, so that other processes of the machine go first.
const { PRIORITY_BELOW_NORMAL } = constants.priority
if (getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL)

// The threads keep all cores busy, so helper threads for garbage collection cost more than they
// save.
setFlagsFromString("--no-parallel-scavenge")

answer()
