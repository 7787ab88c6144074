import type { FaultLog } from "../../../simulator/faults/Fault.ts"
import type { Faults } from "../../../simulator/faults/Faults.ts"
import type { Chance } from "../../../simulator/random/Chance.ts"
import type { Latencies } from "../../../simulator/report/Latencies.ts"
import type { Witness } from "../../../simulator/blackbox/Witness.ts"
import type { HttpConnection } from "./HttpConnection.ts"
import type { ServiceTime } from "./ServiceTime.ts"

/** What all who play have in common. */
export interface RunContext {
  readonly http: HttpConnection
  readonly time: ServiceTime
  readonly witness: Witness
  /** The stream of chance of that name. */
  readonly chance: (name: string) => Chance
  /** The faults while they last; none once they have stopped. */
  readonly faults: () => Faults
  readonly log: FaultLog
  readonly latencies: Latencies
}

/** One who has an account. */
export interface Actor {
  /** What we call the account by: only its owner is told its id. */
  readonly name: string
  readonly key: string
  /** The agent that it acts as. */
  readonly agent_id: string
}
