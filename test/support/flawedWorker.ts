import { answer } from "../../apps/simulate/batch/answer.ts"
import { dropping } from "../simulation/flaw.ts"

answer(dropping("events"))
