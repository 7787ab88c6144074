import * as MemoryRateLeases from "../../../adapters/memory/MemoryRateLeases.ts"
import { rateLeasesContract } from "../../contract/rateLeases.ts"

rateLeasesContract("memory", () => MemoryRateLeases.layer)
