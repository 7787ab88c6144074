export { layer as memoryStore } from "../adapters/memory/MemoryStore.ts"
export {
  type ChannelCall,
  type ChannelOutcome,
  ChannelRefusal,
  Channels,
  type Charge,
} from "../core/ports/Channels.ts"
export { type Commit, Conflict, Store, StoreUnavailable, type Write } from "../core/ports/Store.ts"
export { Failure } from "../core/shared/Failure.ts"
export type { Alterations } from "./Alterations.ts"
export type { Tally, Violation } from "./auditor/Auditor.ts"
export { drawScript, type DrawOptions } from "./drawScript.ts"
export { FAULTS, type Faults, NO_FAULTS, WORST } from "./faults/Faults.ts"
export { perform, type PerformOptions, type Progress } from "./perform.ts"
export { isSound, type Report } from "./Report.ts"
export { LIBRARY } from "./scenarios/library.ts"
export { readScenario, scenarioNamed } from "./scenarios/readScenario.ts"
export { Scenario } from "./scenarios/Scenario.ts"
export { shrink, type ShrinkOptions } from "./shrinking/shrink.ts"
export type { Shrunk } from "./shrinking/Shrinker.ts"
export { simulate, type SimulateOptions } from "./perform.ts"
export { Script } from "./world/plans/Plan.ts"
