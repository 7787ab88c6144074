import { constants, getPriority, setPriority } from "node:os"
import { setFlagsFromString } from "node:v8"
import { answer } from "./answer.ts"

// Many worlds are in no hurry: all else that the machine does goes first, where the system has it.
const { PRIORITY_BELOW_NORMAL } = constants.priority
if (getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL)

// Threads keep the cores busy: helpers that collect their garbage cost more than they save.
setFlagsFromString("--no-parallel-scavenge")

answer()
