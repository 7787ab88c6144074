import { startFinder } from "./finder.ts"
import { follow } from "./follow.ts"

startFinder()
follow()
