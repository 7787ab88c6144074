import * as MemoryRateLeases from "../../../adapters/memory/MemoryRateLeases.ts"
import { rateLeasesContract } from "../../../apps/payport/testing/rateLeasesContract.ts"
import { runContract } from "../../support/runContract.ts"

const open = () => MemoryRateLeases.layer

runContract("memory: leases of rate windows", rateLeasesContract({ open }))
